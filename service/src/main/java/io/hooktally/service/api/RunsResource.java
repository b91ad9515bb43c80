package io.hooktally.service.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.store.run.Run;
import io.hooktally.store.run.RunFilter;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.RunState;
import io.hooktally.store.run.Runs;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs: {@code GET /api/runs}. What one says is {@link ReportsResource}'s. */
@Path("/runs")
@Produces(MediaType.APPLICATION_JSON)
public final class RunsResource {
  private static final int MOST = 100;

  private final Runs runs;

  /** Over the recorded runs. */
  public RunsResource(Runs runs) {
    this.runs = runs;
  }

  /**
   * Runs, the newest first, at most 100.
   *
   * @param before only runs with smaller numbers, to read on
   * @param source only of this source
   * @param entity only of this entity type
   * @param state only in this state, such as {@code failed}
   * @param reason only for this reason, such as {@code scheduled}
   */
  @GET
  public Response list(
      @QueryParam("before") @Nullable String before,
      @QueryParam("source") @Nullable String source,
      @QueryParam("entity") @Nullable String entity,
      @QueryParam("state") @Nullable String state,
      @QueryParam("reason") @Nullable String reason) {
    Optional<Long> limit = before == null ? Optional.of(Long.MAX_VALUE) : number(before);
    if (limit.isEmpty()) {
      return ApiProblem.of(400, "before must be a run's number, such as 42.");
    }
    Optional<RunState> inState = one(RunState.values(), RunState::text, state);
    if (state != null && inState.isEmpty()) {
      return ApiProblem.of(
          400, "state must be one of " + texts(RunState.values(), RunState::text) + ".");
    }
    Optional<RunReason> forReason = one(RunReason.values(), RunReason::text, reason);
    if (reason != null && forReason.isEmpty()) {
      return ApiProblem.of(
          400, "reason must be one of " + texts(RunReason.values(), RunReason::text) + ".");
    }
    RunFilter filter = new RunFilter(source, entity, forReason.orElse(null), inState.orElse(null));
    List<Run> found = runs.list(filter, limit.get(), MOST);
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode items = answer.putArray("runs");
    found.forEach(run -> items.add(RunJson.of(run)));
    return Response.ok(answer.toString()).build();
  }

  private static <E> Optional<E> one(E[] all, Function<E, String> text, @Nullable String wanted) {
    return Arrays.stream(all).filter(each -> text.apply(each).equals(wanted)).findFirst();
  }

  private static <E> String texts(E[] all, Function<E, String> text) {
    return Arrays.stream(all).map(text).collect(Collectors.joining(", "));
  }

  private static Optional<Long> number(String text) {
    return text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
  }
}
