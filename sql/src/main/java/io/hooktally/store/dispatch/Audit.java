package io.hooktally.store.dispatch;

import java.util.List;
import org.jdbi.v3.core.Jdbi;

/** What people did to events and consumers: who, when, what. Thread-safe. */
public final class Audit {
  private final Jdbi jdbi;

  /** The record in the database of {@code jdbi}. */
  public Audit(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Entries with smaller numbers than {@code before}, the newest first. */
  public List<AuditEntry> list(long before, int limit) {
    return jdbi.withHandle(handle -> AuditRows.list(handle, before, limit));
  }
}
