package io.hooktally.reconcile.job;

/** What is reconciled daily. */
public record ScheduledTarget(String source, String entityType) {
  @Override
  public String toString() {
    return source + "/" + entityType;
  }
}
