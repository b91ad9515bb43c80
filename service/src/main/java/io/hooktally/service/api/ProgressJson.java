package io.hooktally.service.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunProgress;

/** How far a run is, as the API shows it. */
final class ProgressJson {
  private ProgressJson() {}

  static ObjectNode of(Run run) {
    RunProgress progress = run.progress();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", run.id())
            .put("state", run.state().text())
            .put("phase", progress.phase() == null ? null : progress.phase().text())
            .put("pages", progress.pages())
            .put("rows", run.listed())
            .put("reached", progress.reached() == null ? null : progress.reached().toString())
            .put("requests", progress.requests())
            .put("bytes", progress.bytes())
            .put("throttledMillis", progress.throttled().toMillis())
            .put("resumed", run.resumed());
    run.listedShare().ifPresent(share -> json.put("listedShare", share));
    return json;
  }
}
