package io.hooktally.reconcile;

import static io.hooktally.reconcile.Shop.DAY;
import static org.assertj.core.api.Assertions.assertThat;

import io.hooktally.reconcile.report.FullReport;
import io.hooktally.reconcile.report.HtmlReport;
import io.hooktally.reconcile.report.Reports;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.store.run.Finding;
import io.hooktally.store.run.PastRun;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import io.hooktally.store.testing.TestDatabase;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** What a run says when it is asked, in each form. */
class ReportIT {
  private static final String SCRIPT = "<script>alert('\"&')</script>";

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private Shop shop;
  private Reports reports;

  @BeforeEach
  void open() {
    shop = new Shop(database.get().jdbi());
    reports = new Reports(shop.jdbi);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private FullReport full(RunReport report) {
    return reports.find(report.id(), 100).orElseThrow();
  }

  private static String html(FullReport report) throws IOException {
    StringWriter page = new StringWriter();
    new HtmlReport().write(report, page);
    return page.toString();
  }

  /** Every element that is opened is closed: the page is written so that XML's rules hold too. */
  private static Document wellFormed(String page) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setExpandEntityReferences(false);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(page)));
  }

  private List<CSVRecord> csv(long run) throws IOException {
    StringBuilder text = new StringBuilder();
    assertThat(reports.writeCsv(run, text)).isTrue();
    CSVFormat format =
        CSVFormat.Builder.create(CSVFormat.RFC4180).setHeader().setSkipHeaderRecord(true).get();
    try (CSVParser parser = CSVParser.parse(text.toString(), format)) {
      return parser.getRecords();
    }
  }

  private RunReport drift() {
    shop.configure("{\"sums\": {\"field\": \"/grand_total\", \"by\": \"/status\"}}");
    shop.fill(12);
    shop.scheduled();
    shop.source.put("lost-1", DAY.plusSeconds(30));
    shop.source.change("o1", DAY.plus(Duration.ofHours(5)), "status", "completed");
    shop.corrupt("o2", "body = jsonb_set(body, '{status}', '\"cancelled\"')");
    shop.source.delete("o3");
    shop.corrupt("o4", "modified_second = modified_second + 60");
    return shop.scheduled();
  }

  @Test
  void aPersonReadsWhatWasWrongWhyAndWhatWasDone() throws Exception {
    FullReport report = full(drift());
    String page = html(report);
    Files.createDirectories(Path.of("target"));
    Files.writeString(Path.of("target", "report.html"), page);
    Document document = wellFormed(page);
    assertThat(document.getElementsByTagName("article").getLength()).isEqualTo(5);
    String text = document.getDocumentElement().getTextContent();
    assertThat(text)
        .contains(
            "5 entities differed, of 12 listed: 4 fixed, 1 left as they are. The replica does not"
                + " agree with the source yet.")
        .contains("What to do", "--trust-source")
        .contains("missing: the source has it, the replica did not")
        .contains("No delivery of it is known: the replica never had it")
        .contains("changed in our database later", "No delivery of its deletion is known")
        .contains("Fixed: marked as deleted in the replica.")
        .contains("/grand_total, /status placed")
        .contains("Entities last modified before", "compare.depth is list")
        .contains("Of the last 2 runs 1 found no disagreement")
        .contains("requests to the source");
    assertThat(document.getElementsByTagName("svg").getLength()).isEqualTo(1);
  }

  @Test
  void aCleanRunIsOneSentenceAndNothingToDo() throws Exception {
    shop.fill(3);
    FullReport report = full(shop.scheduled());
    assertThat(report.verdict())
        .isEqualTo("Source and replica agree: of 3 listed entities none differs.");
    String text = wellFormed(html(report)).getDocumentElement().getTextContent();
    assertThat(text).contains(report.verdict(), "There are none.").doesNotContain("What to do");
  }

  @Test
  void aFailedRunNeverLooksClean() throws Exception {
    shop.fill(3);
    shop.source.fault(
        (path, query, n) ->
            java.util.Optional.of(
                io.hooktally.reconcile.testing.FakeSource.Response.json(403, "{}")));
    RunReport failed = shop.scheduled();
    assertThat(failed.state()).isEqualTo(RunState.FAILED);
    FullReport report = full(failed);
    assertThat(report.verdict()).contains("without a result (failed)", "nothing is known");
    String text = wellFormed(html(report)).getDocumentElement().getTextContent();
    assertThat(text).contains("that proves nothing", "1 have no result");
  }

  @Test
  void thePageEscapesWhatASourceSendsAndLoadsNothing() throws Exception {
    shop.configure("{\"sums\": {\"field\": \"/grand_total\", \"by\": \"/status\"}}");
    shop.fill(3);
    shop.source.change("o1", DAY.plus(Duration.ofHours(5)), "status", SCRIPT);
    shop.source.put(SCRIPT, DAY.plusSeconds(5));
    FullReport report = full(shop.scheduled());
    String page = html(report);
    assertThat(page).doesNotContain("<script").contains("&lt;script&gt;");
    assertThat(page).doesNotContainPattern("(?i)(src|href)\\s*=|url\\(|@import|http:|https:");
    assertThat(wellFormed(page).getElementsByTagName("script").getLength()).isZero();
  }

  @Test
  void aSpreadsheetTakesNoCellForAFormula() throws Exception {
    shop.fill(3);
    shop.source.put("=cmd|' /C calc'!A0", DAY.plusSeconds(5));
    shop.source.put("-2+3", DAY.plusSeconds(6));
    shop.source.put("a,\"b\" c", DAY.plusSeconds(7));
    RunReport report = shop.scheduled();
    assertThat(csv(report.id()))
        .extracting(line -> line.get("entity_id"))
        .containsExactlyInAnyOrder("'=cmd|' /C calc'!A0", "'-2+3", "a,\"b\" c");
    assertThat(csv(report.id())).extracting(line -> line.get("kind")).containsOnly("missing");
  }

  @Test
  void theCsvHasOneLinePerDisagreement() throws Exception {
    RunReport report = drift();
    List<CSVRecord> lines = csv(report.id());
    assertThat(lines)
        .extracting(line -> line.get("entity_id"))
        .containsExactly("lost-1", "o1", "o2", "o3", "o4");
    assertThat(lines.get(2).get("differences"))
        .isEqualTo("/status: replica \"cancelled\", source \"placed\"");
    assertThat(lines.get(2).get("lost")).isEqualTo("changed_here");
    assertThat(lines.get(4).get("state")).isEqualTo("left");
    assertThat(reports.writeCsv(999, new StringBuilder())).isFalse();
  }

  @Test
  void disagreementsArePagedById() {
    RunReport report = drift();
    FullReport first = reports.find(report.id(), 2).orElseThrow();
    assertThat(first.findings()).extracting(Finding::entityId).containsExactly("lost-1", "o1");
    assertThat(first.more()).isTrue();
    assertThat(reports.findings(report.id(), "o1", 100))
        .extracting(Finding::entityId)
        .containsExactly("o2", "o3", "o4");
  }

  @Test
  void theHistoryHasTheLastThirtyRunsOfTheSameKind() {
    shop.fill(1);
    for (int i = 0; i < 31; i++) {
      shop.run(
          name ->
              RunRequest.manual(
                  name, "order", new Window(DAY, DAY.plusSeconds(60)), RunMode.REPORT));
    }
    shop.lose("o0");
    FullReport last = full(shop.scheduled());
    assertThat(last.history()).hasSize(30);
    assertThat(last.history()).extracting(PastRun::found).endsWith(0L, 1L);
    assertThat(reports.latest("shop", "order")).contains(last.report().id());
    assertThat(reports.latest("shop", "customer")).isEmpty();
  }
}
