package io.hooktally.service.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.store.run.Kind;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run as the API and {@code --json} show it. */
public final class RunJson {
  private RunJson() {}

  /** A run with its counts. */
  public static ObjectNode of(RunReport report) {
    ObjectNode json = of(report.run());
    RunCounts counts = report.counts();
    json.put("agrees", report.agrees());
    json.putObject("counts")
        .put("listed", report.run().listed())
        .put("suspects", counts.suspects())
        .put("found", counts.found())
        .put("loaded", counts.loaded())
        .put("unannounced", counts.unannounced())
        .put("dissolved", counts.dissolved())
        .put("movedOn", counts.movedOn())
        .put("fixed", counts.fixed())
        .put("heldBack", counts.heldBack())
        .put("left", counts.left())
        .put("failed", counts.failed())
        .put("undecided", counts.undecided())
        .put("residual", counts.residual())
        .put("earlierChecked", counts.earlierChecked())
        .put("earlierEnded", counts.earlierEnded());
    ObjectNode byKind = json.putObject("byKind");
    for (Kind kind : Kind.values()) {
      byKind.put(kind.text(), counts.byKind().getOrDefault(kind, 0L));
    }
    strings(json.putArray("covered"), report.run().covered());
    strings(json.putArray("ignored"), report.run().ignored());
    return json;
  }

  /** A run without counts. */
  static ObjectNode of(Run run) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", run.id())
            .put("source", run.source())
            .put("entity", run.entityType())
            .put("reason", run.reason().text())
            .put("mode", run.mode().text())
            .put("state", run.state().text());
    ObjectNode window = json.putObject("window");
    window.put("from", text(run.from()));
    window.put("to", text(run.to()));
    return json.put("startedAt", text(run.startedAt()))
        .put("endedAt", text(run.endedAt()))
        .put("holder", run.holder())
        .put("error", run.error());
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  private static void strings(ArrayNode array, List<String> values) {
    values.forEach(array::add);
  }
}
