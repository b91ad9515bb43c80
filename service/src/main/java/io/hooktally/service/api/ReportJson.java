package io.hooktally.service.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.reconcile.report.FullReport;
import io.hooktally.store.run.Finding;
import io.hooktally.store.run.Loss;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunProgress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A whole report as the API and the command line show it. */
public final class ReportJson {
  private ReportJson() {}

  /** A run with counts, sums, coverage and its first disagreements. */
  public static ObjectNode of(FullReport full) {
    Run run = full.report().run();
    ObjectNode json = RunJson.of(full.report());
    json.put("verdict", full.verdict());
    ArrayNode sums = json.putArray("sums");
    full.sums()
        .forEach(
            sum ->
                sums.addObject()
                    .put("field", sum.field())
                    .put("by", sum.by().isEmpty() ? null : sum.by())
                    .put("group", sum.by().isEmpty() ? null : sum.group())
                    .put("source", sum.theirs())
                    .put("replicaBefore", sum.before())
                    .put("replica", sum.after())
                    .put("agrees", sum.agrees()));
    ArrayNode notCovered = json.putArray("notCovered");
    full.notCovered().forEach(notCovered::add);
    RunProgress asked = run.progress();
    ObjectNode usage = json.putObject("usage");
    usage
        .put("requests", asked.requests())
        .put("bytes", asked.bytes())
        .put("throttledMillis", asked.throttled().toMillis());
    if (run.endedAt() != null) {
      usage.put("durationMillis", Duration.between(run.startedAt(), run.endedAt()).toMillis());
    }
    findings(json, full.findings(), full.more());
    return json;
  }

  /** A page of disagreements; {@code after} names where the next one begins, if there is one. */
  static ObjectNode of(List<Finding> findings, boolean more) {
    return findings(JsonNodeFactory.instance.objectNode(), findings, more);
  }

  private static ObjectNode findings(ObjectNode json, List<Finding> findings, boolean more) {
    ArrayNode items = json.putArray("disagreements");
    findings.forEach(one -> items.add(finding(one)));
    return json.put("next", more ? findings.get(findings.size() - 1).entityId() : null);
  }

  private static ObjectNode finding(Finding one) {
    Loss loss = one.loss();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("entity", one.entityId())
            .put("kind", one.kind() == null ? null : one.kind().text())
            .put("state", one.state().text())
            .put("earlier", one.earlier())
            .put("unannounced", one.unannounced())
            .put("residual", one.residual())
            .put("replicaModified", text(one.oursModified()))
            .put("sourceModified", text(one.theirsModified()));
    ArrayNode differences = json.putArray("differences");
    one.differences()
        .forEach(
            field ->
                differences
                    .addObject()
                    .put("field", field.pointer())
                    .put("replica", field.ours())
                    .put("source", field.theirs()));
    return json.put("lost", loss == null ? null : loss.cause().text())
        .put("howItWasLost", loss == null ? null : loss.note())
        .put("note", one.note());
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
