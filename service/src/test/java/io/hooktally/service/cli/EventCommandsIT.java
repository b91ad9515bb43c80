package io.hooktally.service.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hooktally.reconcile.source.EntityMapping;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.reconcile.testing.HandClock;
import io.hooktally.service.EventActions;
import io.hooktally.store.Leases;
import io.hooktally.store.dispatch.Claimed;
import io.hooktally.store.dispatch.ConsumerRef;
import io.hooktally.store.dispatch.Consumers;
import io.hooktally.store.dispatch.DispatchQueue;
import io.hooktally.store.dispatch.Keyed;
import io.hooktally.store.dispatch.Parked;
import io.hooktally.store.inbox.Delivery;
import io.hooktally.store.inbox.Inbox;
import io.hooktally.store.testing.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sourceforge.argparse4j.inf.Namespace;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code parked}, {@code consumers} and {@code replay} over a database with events. */
class EventCommandsIT {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @RegisterExtension final TestDatabase database = new TestDatabase();

  private final FakeSource source = new FakeSource(new HandClock(NOW));
  private Jdbi jdbi;
  private SourceConfig config;
  private ConsumerRef replica;
  private DispatchQueue queue;
  private EventActions actions;

  @BeforeEach
  void store() {
    jdbi = database.get().jdbi();
    config = source.config("{\"id\": [\"/id\"]}");
    replica = ConsumerRef.replica(config.name());
    new Consumers(jdbi).register(replica, new EntityMapping(config).topicRegex());
    queue = new DispatchQueue(jdbi, replica, "one");
    actions = new EventActions(Map.of(config.name(), config), ZoneOffset.UTC, jdbi, "one");
    deliver("e1", "{\"id\":\"o1\"}");
    deliver("e2", "{\"id\":\"o2\"}");
    deliver("e3", "no json");
  }

  @AfterEach
  void stop() {
    source.close();
  }

  @Test
  void parkedEventsAreListedShownRetriedAndDiscarded() {
    park();

    assertThat(run(new ParkedCommand(), "action", "list"))
        .hasLineCount(3)
        .contains("poison  key order/o1  topic order.placed", "invalid  key -", "it says no");
    assertThat(run(new ParkedCommand(), "action", "list", "kind", "invalid", "json", "true"))
        .contains("\"event\":\"e3\"");
    String id = Long.toString(queue.parked(0, 10).get(0).id());
    assertThat(run(new ParkedCommand(), "action", "show", "id", id)).contains("\"base64\":");
    assertThat(run(new ParkedCommand(), "action", "retry", "key", "order/o1"))
        .isEqualTo("Retried: 1");
    assertThat(run(new ParkedCommand(), "action", "discard", "all", "true", "reason", "a test"))
        .isEqualTo("Discarded: 2");
    assertThat(queue.sums().holds()).isTrue();
    assertThat(queue.sums().discarded()).isEqualTo(2);

    assertThatThrownBy(() -> run(new ParkedCommand(), "action", "retry"))
        .hasMessageStartingWith("all must be true where no other word");
    assertThatThrownBy(() -> run(new ParkedCommand(), "action", "show", "id", "x"))
        .hasMessage("id must be a number, such as 42.");
    assertThatThrownBy(() -> run(new ParkedCommand(), "action", "retry", "key", "a\u0000b"))
        .hasMessageStartingWith("key must be one line");
  }

  @Test
  void consumersArePausedAndResumed() {
    String name = config.name();
    assertThat(run(new ConsumersCommand(), "action", "pause", "source", name, "reason", "a test"))
        .isEqualTo("Paused: " + replica);
    assertThat(run(new ConsumersCommand(), "action", "list"))
        .contains("pending 3", "by ada: a test");
    assertThat(run(new ConsumersCommand(), "action", "resume", "source", name))
        .isEqualTo("Resumed: " + replica);
    assertThat(run(new ConsumersCommand(), "action", "list")).doesNotContain("paused");
  }

  @Test
  void oneEntitysEventsAreReplayedAndWhatIsLostIsSaid() {
    String[] span = {
      "source",
      config.name(),
      "from",
      "2000-01-01",
      "to",
      "2999-01-01",
      "entity",
      "order",
      "id",
      "o2"
    };
    assertThat(run(new ReplayCommand(), span))
        .isEqualTo("Replay 1: 1 events are handed over again (1 rows).");

    jdbi.useHandle(handle -> handle.execute("delete from event_payload"));
    assertThat(run(new ReplayCommand(), span))
        .contains("Replay 2: 0 events", "3 events of the span could not be replayed");
    assertThat(queue.sums().holds()).isTrue();
    assertThat(queue.sums().dispatched()).isEqualTo(4);
  }

  private void park() {
    Leases leases = new Leases(jdbi);
    queue.key(
        leases.acquire("key", "one", Duration.ofMinutes(1)).orElseThrow(),
        queue.unkeyed(10).stream()
            .map(
                row -> {
                  String body = new String(row.bodies().event(), StandardCharsets.UTF_8);
                  return body.startsWith("{")
                      ? Keyed.entity(row.id(), "order", "order/" + body.substring(7, 9))
                      : Keyed.invalid(row.id(), "not JSON");
                })
            .toList());
    for (List<Claimed> rows : queue.claim(NOW, Duration.ofMinutes(1), 10, 10)) {
      queue.park(rows.get(0), Parked.Kind.POISON, "it says no");
    }
  }

  private String run(EventCommand command, String... words) {
    Map<String, Object> values = new HashMap<>();
    for (int i = 0; i < words.length; i += 2) {
      values.put(words[i], words[i + 1].equals("true") ? true : words[i + 1]);
    }
    Namespace arguments = new Namespace(values);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    command.act(
        arguments,
        actions,
        actions.words(word -> EventCommand.value(arguments, word)),
        "ada",
        new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8).strip();
  }

  private void deliver(String id, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    new Inbox(jdbi, "one")
        .store(List.of(new Delivery(config.name(), id, "order.placed", Map.of(), bytes, bytes)));
  }
}
