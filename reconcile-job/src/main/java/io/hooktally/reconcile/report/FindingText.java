package io.hooktally.reconcile.report;

import io.hooktally.store.run.Difference;
import io.hooktally.store.run.Finding;
import io.hooktally.store.run.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A disagreement in words. */
final class FindingText {
  private FindingText() {}

  static ReportPage.FindingRow row(Finding one) {
    List<Difference> fields =
        one.differences().stream()
            .map(
                field ->
                    field.pointer().isEmpty()
                        ? new Difference("(the whole)", field.ours(), field.theirs())
                        : field)
            .toList();
    return new ReportPage.FindingRow(
        one.entityId(), tone(one), what(one), times(one), lost(one), done(one), fields);
  }

  static String what(Finding one) {
    String kind = one.kind() == null ? "not confirmed yet" : kind(one.kind());
    return kind
        + (one.unannounced() ? "; only fields that may change without an event" : "")
        + (one.earlier() ? "; open since an earlier run" : "");
  }

  private static String kind(Kind kind) {
    return switch (kind) {
      case MISSING -> "missing: the source has it, the replica did not";
      case STALE -> "stale: the replica had an older state";
      case DIFFERENT -> "different: same modified time, other content";
      case EXTRA -> "extra: the replica had it, the source does not";
      case AHEAD -> "ahead: the replica's state is newer than the source's";
    };
  }

  private static String times(Finding one) {
    if (one.oursModified() == null || one.theirsModified() == null) {
      return "";
    }
    return one.oursModified().equals(one.theirsModified())
        ? RunFacts.time(one.oursModified()) + " on both sides"
        : "replica "
            + RunFacts.time(one.oursModified())
            + ", source "
            + RunFacts.time(one.theirsModified());
  }

  private static String lost(Finding one) {
    if (one.loss() != null) {
      return one.loss().note();
    }
    return one.kind() == Kind.AHEAD && !one.earlier()
        ? "Nothing was lost: the source itself went back, or gave a time that was not true."
        : "";
  }

  static String done(Finding one) {
    return switch (one.state()) {
      case FIXED -> fixed(one);
      case HELD_BACK -> "Nothing yet; held back: " + note(one.note());
      case LEFT -> "Nothing; left as it is: " + note(one.note());
      case FAILED -> "The fix failed: " + note(one.note());
      default -> "Nothing yet.";
    };
  }

  private static String fixed(Finding one) {
    String fixed =
        one.kind() == Kind.EXTRA
            ? "Fixed: marked as deleted in the replica."
            : "Fixed: the replica now has the source's state.";
    return one.residual() ? fixed + " Looked at again, it still differed." : fixed;
  }

  private static String tone(Finding one) {
    return switch (one.state()) {
      case FIXED -> one.residual() ? "bad" : "mended";
      case CONFIRMED -> "unknown";
      default -> "bad";
    };
  }

  private static String note(@Nullable String note) {
    return note == null ? "no reason is recorded." : note + ".";
  }
}
