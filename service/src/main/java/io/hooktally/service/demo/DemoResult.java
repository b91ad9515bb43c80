package io.hooktally.service.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * How the demo's day ended.
 *
 * @param sent events that the platform delivered, once or more
 * @param lost events that it lost for good
 * @param injected orders that had to differ, by the platform's own knowledge, with their kinds
 * @param found orders that the run found to differ, with their kinds
 * @param fixed how many of these it fixed
 * @param residual how many of those still differed
 * @param foundAgain what the second run found
 */
public record DemoResult(
    long seed,
    long sent,
    long lost,
    Map<String, String> injected,
    Map<String, String> found,
    long fixed,
    long residual,
    long foundAgain) {

  /** Every disagreement was found, and only those; all are gone. */
  public boolean holds() {
    return !injected.isEmpty()
        && injected.equals(found)
        && fixed == found.size()
        && residual == 0
        && foundAgain == 0;
  }

  /** One line. */
  public ObjectNode json() {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("sent", sent)
            .put("lost", lost)
            .put("injected", injected.size())
            .put("found", found.size())
            .put("fixed", fixed)
            .put("residual", residual)
            .put("seed", seed);
    ObjectNode byKind = json.putObject("byKind");
    for (Kind kind : Kind.values()) {
      byKind.put(kind.text(), count(found, kind));
    }
    return json;
  }

  static long count(Map<String, String> rows, Kind kind) {
    return rows.values().stream().filter(kind.text()::equals).count();
  }
}
