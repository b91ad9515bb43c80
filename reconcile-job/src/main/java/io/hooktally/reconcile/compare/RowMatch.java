package io.hooktally.reconcile.compare;

import io.hooktally.reconcile.source.RowText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Recognises a row of the list in the way PostgreSQL prints the replica's {@code jsonb}, byte by
 * byte, so that a row that agrees is known without building either side. A match says that the
 * values are equal; no match says nothing (another notation of a number or a time, unusual keys),
 * and the bodies are compared. Rows mostly have the same keys in the same order: how {@code jsonb}
 * orders them is remembered per place. The row has been read as JSON before, and so has whatever
 * the database prints. Not thread-safe.
 */
final class RowMatch {
  // Shorter keys stand first; then by bytes.
  private static final Comparator<byte[]> ORDER =
      Comparator.<byte[]>comparingInt(key -> key.length).thenComparing(Arrays::compareUnsigned);
  private static final int MOST_SHAPES = 4;
  private static final int MOST_DEPTH = 100;
  // Of a member: its key in quotes, and its value; each as where it begins and where it ends.
  private static final int NUMBERS = 4;

  /** The fields that only one side has. */
  static final class OneSided {
    static final OneSided NONE = new OneSided(List.of(), List.of());

    private final Set<String> ofRow;
    private final byte[][] ofReplica;

    /**
     * @param ofRow top-level fields of the row that the replica lacks
     * @param ofReplica top-level fields of the replica that the row lacks
     */
    OneSided(Collection<String> ofRow, Collection<String> ofReplica) {
      this.ofRow = new HashSet<>(ofRow);
      this.ofReplica =
          ofReplica.stream().map(name -> printed('"' + name + '"')).toArray(byte[][]::new);
    }
  }

  /** The keys of an object as they came, and in the order in which {@code jsonb} has them. */
  private static final class Shape {
    private final byte[][] keys;
    private final byte[][] printed;
    private final String[] names;
    private final int[] order;
    private final Place[] values;
    // A key that has to be escaped may be printed another way, and be ordered by its own bytes.
    private final boolean plain;

    Shape(byte[][] keys) {
      this.keys = keys;
      this.printed = new byte[keys.length][];
      this.names = new String[keys.length];
      this.values = new Place[keys.length];
      boolean plain = true;
      for (int i = 0; i < keys.length; i++) {
        String key = new String(keys[i], StandardCharsets.UTF_8);
        plain &= key.indexOf('\\') < 0;
        names[i] = key.substring(1, key.length() - 1);
        printed[i] = printed(key);
        values[i] = new Place();
      }
      this.plain = plain;
      this.order =
          IntStream.range(0, keys.length)
              .boxed()
              .sorted(Comparator.comparing(i -> keys[i], ORDER))
              .mapToInt(Integer::intValue)
              .toArray();
    }
  }

  /** Somewhere an object may stand, and the shapes of those that stood there. */
  private static final class Place {
    private final List<Shape> shapes = new ArrayList<>(1);
  }

  private final Place top = new Place();
  private @Nullable Shape topShape;
  private byte[] row = {};
  private PrintedJson text = new PrintedJson(row);
  private int[] members = new int[256];
  private int used;

  private static byte[] printed(String key) {
    return (key + ": ").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Whether the text says the same as the row.
   *
   * @param ours UTF-8 as {@code jsonb} prints it
   */
  boolean matches(RowText theirs, byte[] ours, OneSided oneSided) {
    row = theirs.page();
    text = new PrintedJson(ours);
    used = 0;
    int begin = JsonBytes.pastSpace(row, theirs.from());
    return row[begin] == '{' && object(begin, top, oneSided, 0) && text.isAtEnd();
  }

  /** Names the last row's keys and their order: the same object as long as these do not change. */
  @Nullable Object shape() {
    return topShape;
  }

  private boolean value(int from, int to, Place place, int depth) {
    byte first = row[from];
    if (first == '{') {
      return object(from, place, OneSided.NONE, depth);
    } else if (first == '[') {
      return array(from, place, depth);
    }
    // Where the bytes are the same, so is where they end: at a quote, or where a comma or a bracket
    // follows, which is looked for next.
    return text.same(row, from, to) || (first == '"' && text.escaped(row, from, to));
  }

  private boolean object(int from, Place place, OneSided oneSided, int depth) {
    int base = used;
    int count = members(from);
    Shape shape = shape(place, base, count);
    topShape = depth == 0 ? shape : topShape;
    boolean same = shape.plain && depth < MOST_DEPTH && object(shape, base, oneSided, depth);
    used = base;
    return same;
  }

  private boolean object(Shape shape, int base, OneSided oneSided, int depth) {
    if (!text.literal('{')) {
      return false;
    }
    boolean first = true;
    for (int i : shape.order) {
      if (!oneSided.ofRow.isEmpty() && oneSided.ofRow.contains(shape.names[i])) {
        continue;
      }
      if (!text.key(shape.printed[i], first)) {
        first = text.skip(oneSided.ofReplica, first);
        if (!text.key(shape.printed[i], first)) {
          return false;
        }
      }
      first = false;
      int member = base + i * NUMBERS;
      if (!value(members[member + 2], members[member + 3], shape.values[i], depth + 1)) {
        return false;
      }
    }
    text.skip(oneSided.ofReplica, first);
    return text.literal('}');
  }

  /** Finds the members of an object of the row and answers how many there are. */
  private int members(int from) {
    int count = 0;
    int i = JsonBytes.pastSpace(row, from + 1);
    while (row[i] != '}') {
      if (used + NUMBERS > members.length) {
        members = Arrays.copyOf(members, 2 * members.length);
      }
      members[used] = i;
      i = JsonBytes.pastString(row, i);
      members[used + 1] = i;
      i = JsonBytes.pastSpace(row, JsonBytes.pastSpace(row, i) + 1);
      members[used + 2] = i;
      i = JsonBytes.pastValue(row, i);
      members[used + 3] = i;
      used += NUMBERS;
      count++;
      i = JsonBytes.pastSpace(row, i);
      i = row[i] == ',' ? JsonBytes.pastSpace(row, i + 1) : i;
    }
    return count;
  }

  private Shape shape(Place place, int base, int count) {
    for (Shape known : place.shapes) {
      if (hasKeys(known, base, count)) {
        return known;
      }
    }
    byte[][] keys = new byte[count][];
    for (int i = 0; i < count; i++) {
      int member = base + i * NUMBERS;
      keys[i] = Arrays.copyOfRange(row, members[member], members[member + 1]);
    }
    Shape shape = new Shape(keys);
    if (place.shapes.size() == MOST_SHAPES) {
      place.shapes.remove(0);
    }
    place.shapes.add(shape);
    return shape;
  }

  private boolean hasKeys(Shape shape, int base, int count) {
    if (shape.keys.length != count) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      int member = base + i * NUMBERS;
      byte[] key = shape.keys[i];
      if (members[member + 1] - members[member] != key.length
          || !JsonBytes.same(row, members[member], key, 0, key.length)) {
        return false;
      }
    }
    return true;
  }

  private boolean array(int from, Place place, int depth) {
    if (depth >= MOST_DEPTH || !text.literal('[')) {
      return false;
    }
    int i = JsonBytes.pastSpace(row, from + 1);
    boolean first = true;
    while (row[i] != ']') {
      int end = JsonBytes.pastValue(row, i);
      if (!(first || (text.literal(',') && text.literal(' ')))
          || !value(i, end, place, depth + 1)) {
        return false;
      }
      first = false;
      i = JsonBytes.pastSpace(row, end);
      i = row[i] == ',' ? JsonBytes.pastSpace(row, i + 1) : i;
    }
    return text.literal(']');
  }
}
