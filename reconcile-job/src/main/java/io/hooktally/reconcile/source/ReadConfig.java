package io.hooktally.reconcile.source;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one entity is read.
 *
 * @param path below the API's URL, with {@code {id}} in it
 * @param entity pointers to the entity in the answer, tried in order; "" is the whole answer
 * @param id pointers to the id inside the entity
 * @param deleted pointers inside the entity; true at one of them says that it was deleted
 */
public record ReadConfig(
    String path,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> entity,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> id,
    @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> deleted) {
  /** Fills in defaults. */
  public ReadConfig(
      @Nullable String path,
      @Nullable List<String> entity,
      @Nullable List<String> id,
      @Nullable List<String> deleted) {
    this.path = Defaults.text(path, "");
    this.entity = Defaults.list(entity, List.of(""));
    this.id = Defaults.list(id, List.of("/id"));
    this.deleted = Defaults.list(deleted, List.of());
  }

  List<Problem> problems(String at) {
    Problems problems = new Problems(at);
    problems.path("path", path);
    if (!path.contains("{id}")) {
      problems.add(
          "path", "'" + path + "'", "a path with {id} in it", "Write for example /v1/orders/{id}.");
    }
    problems.pointers("entity", entity, true);
    problems.pointers("id", id, true);
    problems.pointers("deleted", deleted, false);
    return problems.found();
  }
}
