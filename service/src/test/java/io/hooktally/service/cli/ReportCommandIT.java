package io.hooktally.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.reconcile.report.Reports;
import io.hooktally.store.Json;
import io.hooktally.store.testing.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sourceforge.argparse4j.inf.Namespace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code report} over a database that has runs. */
class ReportCommandIT {
  @TempDir Path folder;

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private int report(String... arguments) throws Exception {
    Map<String, Object> values = new HashMap<>(Map.of("run", "latest", "format", "text"));
    for (int i = 0; i < arguments.length; i += 2) {
      values.put(arguments[i].substring(2), arguments[i + 1]);
    }
    return ReportCommand.report(
        new Reports(database.get().jdbi()), new Namespace(values), System.out);
  }

  private String written(String... arguments) throws Exception {
    Path file = folder.resolve("out");
    List<String> line = new ArrayList<>(List.of(arguments));
    line.addAll(List.of("--out", file.toString()));
    assertThat(report(line.toArray(new String[0]))).isEqualTo(ExitCode.OK);
    return Files.readString(file);
  }

  private void runs() {
    database
        .get()
        .jdbi()
        .useHandle(
            h -> {
              h.execute(
                  """
                    insert into reconcile_run (source, entity_type, reason, mode, state, holder,
                        fence, window_from, window_to, ended_at, listed, not_covered)
                    values ('shop', 'order', 'manual', 'fix', 'done', 'test', 1, now(), now(),
                            now(), 10, '{Older ones.}'),
                           ('shop', 'cart', 'manual', 'fix', 'failed', 'test', 1, now(), now(),
                            now(), 0, '{}')
                    """);
              h.execute(
                  """
                    insert into disagreement (run_id, source, entity_type, entity_id, suspected,
                        kind, state, differences, lost, lost_note)
                    values (1, 'shop', 'order', 'o1', 'stale', 'stale', 'fixed',
                        '[{"pointer": "/status", "ours": "1", "theirs": "2"}]',
                        'no_delivery', 'No delivery of this change is known.')
                    """);
              h.execute(
                  """
                    insert into run_sum (run_id, field, by_field, grp, theirs, before, after)
                    values (1, '/total', '/currency', 'EUR', 9007199254740993.01, 7, 9007199254740993.01)
                    """);
            });
  }

  @Test
  void printsTheSameRunInEveryForm() throws Exception {
    runs();
    assertThat(written("--run", "1"))
        .contains("1 entity differed, of 10 listed; all were fixed")
        .contains("sum of /total where /currency is EUR: source 9007199254740993.01")
        .contains("o1: stale, fixed", "/status: replica 1, source 2", "Older ones.");
    JsonNode json =
        Json.parse(
            written("--run", "1", "--format", "json")
                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
    assertThat(json.at("/verdict").asText()).contains("1 entity differed");
    assertThat(json.at("/sums/0/source").decimalValue())
        .isEqualByComparingTo("9007199254740993.01");
    assertThat(json.at("/disagreements/0/lost").asText()).isEqualTo("no_delivery");
    assertThat(json.at("/notCovered/0").asText()).isEqualTo("Older ones.");
    assertThat(written("--run", "1", "--format", "csv")).contains("o1,stale,fixed");
    assertThat(written("--run", "1", "--format", "html"))
        .startsWith("<!DOCTYPE html>")
        .contains("9007199254740993.01");
  }

  @Test
  void latestIsTheNewestOfWhatIsAskedFor() throws Exception {
    assertThat(report()).isEqualTo(ExitCode.FAILED);
    runs();
    assertThat(written()).contains("run 2: manual of shop/cart");
    assertThat(written("--source", "shop", "--entity", "order")).contains("run 1: ");
    assertThat(report("--source", "none")).isEqualTo(ExitCode.FAILED);
    assertThat(report("--run", "99")).isEqualTo(ExitCode.FAILED);
  }
}
