package io.hooktally.service.api;

import io.hooktally.reconcile.report.FullReport;
import io.hooktally.reconcile.report.HtmlReport;
import io.hooktally.reconcile.report.Reports;
import io.hooktally.store.run.Finding;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run's report: {@code GET /api/runs/{id}} as JSON, {@code /report.html} as a page for people,
 * {@code /disagreements} in pages and {@code /disagreements.csv} whole.
 */
@Path("/runs/{id}")
public final class ReportsResource {
  private static final int FIRST = 100;
  private static final int MOST = 1000;

  private final Reports reports;
  private final HtmlReport html;

  /** Over the recorded runs. */
  public ReportsResource(Reports reports, HtmlReport html) {
    this.reports = reports;
    this.html = html;
  }

  /** The whole report, with its first 100 disagreements. */
  @GET
  @Produces(MediaType.APPLICATION_JSON)
  public Response json(@PathParam("id") String id) {
    return answer(
        id,
        number ->
            reports
                .find(number, FIRST)
                .map(report -> Response.ok(ReportJson.of(report).toString()).build()));
  }

  /**
   * Disagreements in the order of ids.
   *
   * @param after the last id of the page before
   * @param limit 1 to 1000, 100 where nothing is asked for
   */
  @GET
  @Path("/disagreements")
  @Produces(MediaType.APPLICATION_JSON)
  public Response disagreements(
      @PathParam("id") String id,
      @QueryParam("after") @Nullable String after,
      @QueryParam("limit") @Nullable String limit) {
    int most = limit == null ? FIRST : limit.matches("\\d{1,4}") ? Integer.parseInt(limit) : 0;
    if (most < 1 || most > MOST) {
      return ApiProblem.of(400, "limit must be a number from 1 to 1000, such as 100.");
    }
    return answer(id, number -> page(number, after == null ? "" : after, most));
  }

  private Optional<Response> page(long id, String after, int limit) {
    if (reports.find(id, 0).isEmpty()) {
      return Optional.empty();
    }
    List<Finding> page = reports.findings(id, after, limit + 1);
    boolean more = page.size() > limit;
    List<Finding> shown = more ? page.subList(0, limit) : page;
    return Optional.of(Response.ok(ReportJson.of(shown, more).toString()).build());
  }

  /** All disagreements, one line each. */
  @GET
  @Path("/disagreements.csv")
  @Produces("text/csv")
  public Response csv(@PathParam("id") String id) {
    return answer(
        id,
        number ->
            reports
                .find(number, 0)
                .map(
                    report -> {
                      StreamingOutput lines =
                          out -> {
                            Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
                            reports.writeCsv(number, writer);
                            writer.flush();
                          };
                      return Response.ok(lines, "text/csv; charset=utf-8")
                          .header(
                              "Content-Disposition",
                              "attachment; filename=\"run-" + number + "-disagreements.csv\"")
                          .header("X-Content-Type-Options", "nosniff")
                          .build();
                    }));
  }

  /** A page for people; it loads nothing and runs no script. */
  @GET
  @Path("/report.html")
  @Produces(MediaType.TEXT_HTML)
  public Response html(@PathParam("id") String id) {
    return answer(
        id,
        number ->
            reports
                .find(number, Reports.FINDINGS)
                .map(
                    report ->
                        Response.ok(render(report), "text/html; charset=utf-8")
                            .header(
                                "Content-Security-Policy",
                                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none';"
                                    + " form-action 'none'; frame-ancestors 'none'")
                            .header("X-Content-Type-Options", "nosniff")
                            .build()));
  }

  // Whole before anything is sent: half a page would look like a whole one.
  private String render(FullReport report) {
    StringWriter page = new StringWriter();
    try {
      html.write(report, page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return page.toString();
  }

  private interface Found {
    Optional<Response> of(long number);
  }

  private static Response answer(String id, Found found) {
    if (!id.matches("\\d{1,18}")) {
      return ApiProblem.of(400, "A run's id is a number, such as 42.");
    }
    return found
        .of(Long.parseLong(id))
        .orElseGet(
            () -> ApiProblem.of(404, "There is no run " + id + "; GET /api/runs lists them."));
  }
}
