package io.hooktally.reconcile.report;

import io.hooktally.store.run.Finding;
import io.hooktally.store.run.Loss;
import io.hooktally.store.run.Run;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/**
 * Disagreements as CSV (RFC 4180), one line each. A cell that a spreadsheet would take for a
 * formula begins with an apostrophe. Used by one thread.
 */
final class DisagreementsCsv {
  private static final CSVFormat FORMAT =
      CSVFormat.Builder.create(CSVFormat.RFC4180)
          .setHeader(
              "run",
              "source",
              "entity_type",
              "entity_id",
              "kind",
              "state",
              "earlier",
              "unannounced",
              "residual",
              "replica_modified",
              "source_modified",
              "differences",
              "lost",
              "how_it_was_lost",
              "note")
          .get();
  private static final String FORMULA_STARTS = "=+-@\t\r\n＝＋－＠";

  private final Run run;
  private final CSVPrinter printer;

  /** Writes the header. */
  DisagreementsCsv(Run run, Appendable out) throws IOException {
    this.run = run;
    this.printer = new CSVPrinter(out, FORMAT);
  }

  void add(List<Finding> findings) throws IOException {
    for (Finding one : findings) {
      Loss loss = one.loss();
      printer.printRecord(
          run.id(),
          cell(run.source()),
          cell(run.entityType()),
          cell(one.entityId()),
          one.kind() == null ? "" : one.kind().text(),
          one.state().text(),
          one.earlier(),
          one.unannounced(),
          one.residual(),
          cell(one.oursModified()),
          cell(one.theirsModified()),
          cell(differences(one)),
          loss == null ? "" : loss.cause().text(),
          cell(loss == null ? null : loss.note()),
          cell(one.note()));
    }
  }

  private static String differences(Finding one) {
    return one.differences().stream()
        .map(
            difference ->
                (difference.pointer().isEmpty() ? "(all)" : difference.pointer())
                    + ": replica "
                    + difference.ours()
                    + ", source "
                    + difference.theirs())
        .collect(Collectors.joining("; "));
  }

  private static String cell(@Nullable Object value) {
    String text = value == null ? "" : value.toString();
    return !text.isEmpty() && FORMULA_STARTS.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
  }
}
