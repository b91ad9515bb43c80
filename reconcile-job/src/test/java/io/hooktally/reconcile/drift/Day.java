package io.hooktally.reconcile.drift;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.store.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Jdbi;

/** Plays the fates of a source's orders over one day, into the source and into the replica. */
final class Day {
  private static final List<Fate> FATES = List.of(Fate.values());
  private static final int MOST_EXTRA = 8;

  private final Jdbi jdbi;
  private final FakeSource source;
  private final LiveWay live;
  private final Setting setting;
  private final String name;
  private final Random random;
  private final List<Instant> moments = new ArrayList<>();
  private final Map<String, Fate> fates = new TreeMap<>();
  private final Set<String> hidden = new HashSet<>();
  private int changes;
  private int extra;

  Day(Jdbi jdbi, FakeSource source, LiveWay live, Setting setting, String name, Random random) {
    this.jdbi = jdbi;
    this.source = source;
    this.live = live;
    this.setting = setting;
    this.name = name;
    this.random = random;
    long seconds = Duration.between(setting.from(), setting.to()).toSeconds();
    // Few, so that many orders share one and stand on both sides of a page's border.
    for (int i = 0; i < 12; i++) {
      moments.add(setting.from().plusSeconds(3600 + random.nextInt((int) seconds - 4 * 3600)));
    }
  }

  /** The fates by entity. */
  Map<String, Fate> play() {
    Traffic.ids().forEach(id -> base(id, moment()));
    int entities = 40 + random.nextInt(50);
    for (int i = 0; i < entities; i++) {
      Fate fate = draw();
      String id = (fate + "-" + i).toLowerCase(java.util.Locale.ROOT).replace('_', '-');
      fates.put(id, fate);
      play(fate, id);
    }
    // Hidden rows make the total disagree with what is seen at the list's end; a list that moves is
    // proven complete by a whole page older than the window instead.
    for (int i = 0; !hidden.isEmpty() && i <= setting.pageSize(); i++) {
      source.put("older" + i, old().minus(Duration.ofDays(3)));
    }
    return Collections.unmodifiableMap(fates);
  }

  Set<String> hidden() {
    return hidden;
  }

  private Fate draw() {
    while (true) {
      Fate fate = FATES.get(random.nextInt(FATES.size()));
      boolean moreExtra =
          fate == Fate.GHOST || fate == Fate.LOST_DELETION || fate == Fate.EXTRA_AFTER_THE_END;
      if (fate.fits(setting.pastEnd())
          && !(setting.faultless() && fate.isFault())
          && !(moreExtra && ++extra > MOST_EXTRA)
          && !(fate == Fate.HIDDEN && hidden.size() >= 2)) {
        return random.nextInt(3) == 0 ? Fate.QUIET : fate;
      }
    }
  }

  private void play(Fate fate, String id) {
    Instant at = moment();
    switch (fate) {
      case QUIET -> base(id, at);
      case UNTOUCHED_FOR_DAYS -> base(id, old());
      case UPDATED -> {
        base(id, at);
        event(change(id, later(at)));
      }
      case CREATED -> event(create(id, at));
      case DELETED -> {
        base(id, at);
        source.delete(id);
        live.read(id);
      }
      case REVIVED -> {
        base(id, at);
        source.delete(id);
        live.read(id);
        event(create(id, later(at)));
      }
      case DUPLICATED -> {
        base(id, at);
        ObjectNode state = change(id, later(at));
        event(state);
        event(state);
      }
      case REORDERED -> shuffled(many(id, at)).forEach(this::event);
      case TWICE_IN_A_SECOND -> {
        base(id, at);
        Instant first = later(at);
        List<ObjectNode> states =
            List.of(change(id, first), change(id, first.plusNanos(1 + random.nextInt(999_999))));
        shuffled(states).forEach(this::event);
      }
      case TWICE_AT_ONE_INSTANT -> {
        base(id, at);
        Instant both = later(at);
        shuffled(List.of(change(id, both), change(id, both))).forEach(this::event);
      }
      case LATE_PAYLOAD_AFTER_DELETION -> {
        base(id, at);
        ObjectNode late = change(id, later(at));
        source.delete(id);
        live.read(id);
        live.payload(late);
      }
      case OTHER_NOTATION -> {
        ObjectNode noted = create(id, at).deepCopy();
        noted.put("updated_at", inZone(at, ZoneOffset.ofHoursMinutes(5, 30)));
        noted.set("grand_total", number("105e-1"));
        noted.putNull("hold_reason");
        live.payload(noted);
      }
      case ALTERED -> {
        base(id, at);
        source.change(id, later(at), "status", "a\u0000b\ud800c");
        live.read(id);
      }
      case FUTURE -> event(create(id, setting.now().plus(Duration.ofHours(2))));
      case HIDDEN -> {
        base(id, at);
        hidden.add(id);
      }

      case DIFFERENT_FOR_DAYS -> {
        base(id, old());
        alter(id, "body = jsonb_set(body, '{status}', '\"wrong\"')");
      }
      case EXTRA_FOR_DAYS -> ghost(id, old());
      case JUST_BEFORE_THE_WINDOW -> create(id, setting.from().minusNanos(1000));
      case AT_THE_END_OF_THE_WINDOW -> create(id, setting.to());
      case MOVED_BEYOND_THE_WINDOW -> {
        base(id, at);
        change(id, setting.to().plusSeconds(random.nextInt(60)));
      }
      case EXTRA_AFTER_THE_END -> ghost(id, setting.now().minusSeconds(random.nextInt(100)));

      case LOST_CREATION -> create(id, at);
      case LOST_AT_THE_START_OF_THE_WINDOW -> create(id, setting.from());
      case LOST_BEFORE_THE_END_OF_THE_WINDOW -> create(id, setting.to().minusNanos(1000));
      case LOST_UPDATE -> {
        base(id, at);
        event(change(id, later(at)));
        change(id, later(at).plusSeconds(3000));
      }
      case LOST_FIRST_UPDATE -> {
        base(id, old());
        change(id, at);
      }
      case LOST_LAST_OF_MANY -> {
        List<ObjectNode> states = many(id, at);
        shuffled(states.subList(0, states.size() - 1)).forEach(live::payload);
      }
      case LOST_SECOND_OF_A_SECOND -> {
        base(id, at);
        Instant first = later(at);
        live.payload(change(id, first));
        change(id, first.plusMillis(random.nextInt(900) + 1));
      }
      case LOST_BY_A_NANOSECOND -> {
        base(id, at);
        change(id, at.plusNanos(1));
      }
      case LOST_SECOND_OF_AN_INSTANT -> {
        base(id, at);
        Instant both = later(at);
        live.payload(change(id, both));
        change(id, both);
      }
      case LOST_DELETION -> {
        base(id, at);
        event(change(id, later(at)));
        source.delete(id);
      }
      case LOST_RETURN -> {
        base(id, at);
        source.delete(id);
        live.read(id);
        create(id, later(at));
      }
      case LOST_FUTURE -> {
        base(id, at);
        change(id, setting.now().plus(Duration.ofHours(2)));
      }

      case CORRUPTED -> {
        base(id, at);
        alter(id, "body = jsonb_set(body, '{status}', '\"wrong\"')");
      }
      case FIELD_GONE -> {
        base(id, at);
        alter(id, "body = body - 'status'");
      }
      case FOURTH_DECIMAL -> {
        base(id, at);
        alter(id, "body = jsonb_set(body, '{grand_total}', '10.5001')");
      }
      case BEYOND_DOUBLES -> {
        ObjectNode order = create(id, at).deepCopy();
        order.remove("positions");
        order.set("grand_total", number("9007199254740993"));
        source.put(order);
        live.read(id);
        alter(id, "body = jsonb_set(body, '{grand_total}', '9007199254740992')");
      }
      case ROW_GONE -> {
        base(id, at);
        sql("delete from entity where source = :source and entity_id = :id", id);
      }
      case FALSE_TOMBSTONE -> {
        base(id, at);
        alter(id, "deleted = true");
      }
      case GHOST -> ghost(id, at);
      case TIME_SET_BACK -> {
        base(id, at);
        alter(id, "modified_second = modified_second - 60");
      }
      case TIME_SET_BACK_FOR_DAYS -> {
        base(id, at);
        alter(id, "modified_second = modified_second - 10 * 86400");
      }
      case TIME_SET_AHEAD -> {
        base(id, at);
        alter(id, "modified_second = modified_second + 600");
      }
      case TIME_SET_INTO_THE_WINDOW -> {
        Instant old = old();
        base(id, old);
        alter(id, "modified_second = modified_second + " + Duration.between(old, at).toSeconds());
      }
    }
  }

  // ---- what happens at the source

  private ObjectNode create(String id, Instant at) {
    source.put(id, at);
    return source.aggregate(id);
  }

  private ObjectNode change(String id, Instant at) {
    source.change(id, at, "status", "s" + ++changes);
    return source.aggregate(id);
  }

  /** Three or four states, the first a creation; the oldest first. */
  private List<ObjectNode> many(String id, Instant at) {
    List<ObjectNode> states = new ArrayList<>();
    states.add(create(id, at));
    for (int i = 1; i < 3 + random.nextInt(2); i++) {
      states.add(change(id, at.plusSeconds(600L * i)));
    }
    return states;
  }

  // ---- what reaches the replica

  private void base(String id, Instant at) {
    live.payload(create(id, at));
  }

  private void event(ObjectNode state) {
    if (random.nextBoolean()) {
      live.payload(state);
    } else {
      live.read(requireNonNull(state.get("id")).asText());
    }
  }

  private void ghost(String id, Instant at) {
    base(id, at);
    source.delete(id);
  }

  private void alter(String id, String set) {
    sql("update entity set " + set + " where source = :source and entity_id = :id", id);
  }

  private void sql(String sql, String id) {
    int rows =
        jdbi.withHandle(
            handle -> handle.createUpdate(sql).bind("source", name).bind("id", id).execute());
    if (rows != 1) {
      throw new IllegalStateException(rows + " rows of " + id);
    }
  }

  // ---- times

  private Instant moment() {
    // within one microsecond too: the database rounds, we do not
    return moments.get(random.nextInt(moments.size())).plusNanos(random.nextInt(3) * 400L);
  }

  private Instant later(Instant at) {
    return at.plusSeconds(1 + random.nextInt(2000));
  }

  private Instant old() {
    return setting.from().minus(Duration.ofDays(3)).plusSeconds(random.nextInt(20));
  }

  private List<ObjectNode> shuffled(List<ObjectNode> states) {
    List<ObjectNode> mixed = new ArrayList<>(states);
    Collections.shuffle(mixed, random);
    return mixed;
  }

  /** An ISO time with an offset and, other than {@code toString}, always with seconds. */
  static String inZone(Instant at, ZoneOffset offset) {
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(at.atOffset(offset));
  }

  private static com.fasterxml.jackson.databind.JsonNode number(String digits) {
    return Json.parse(digits.getBytes(StandardCharsets.UTF_8));
  }
}
