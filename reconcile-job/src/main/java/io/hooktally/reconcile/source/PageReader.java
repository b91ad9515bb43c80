package io.hooktally.reconcile.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.hooktally.store.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a page of a list token by token: its envelope becomes a tree, of its rows only the fields
 * that the walk needs. Building trees of rows that agree anyway, and keeping them, would cost more
 * than all the rest of a run. Thread-safe.
 */
final class PageReader {
  /** A row, and of its tree at least the fields that were asked for. */
  record Row(RowText text, JsonNode head) {}

  /** A page whose arrays of rows stand in its envelope without the rows. */
  static final class Answer {
    private final JsonNode envelope;
    private final IdentityHashMap<JsonNode, List<Row>> rows;

    private Answer(JsonNode envelope, IdentityHashMap<JsonNode, List<Row>> rows) {
      this.envelope = envelope;
      this.rows = rows;
    }

    JsonNode envelope() {
      return envelope;
    }

    /** The rows of an array of the envelope; nothing where that node is none. */
    Optional<List<Row>> rows(JsonNode array) {
      return Optional.ofNullable(rows.get(array));
    }
  }

  private final List<String> items;
  // Null where a field stands deeper than at the top: rows are read whole then.
  private final @Nullable Set<String> fields;

  /**
   * @param items pointers to where the rows may be
   * @param fields pointers to what is wanted of a row
   */
  PageReader(Pointers items, List<Pointers> fields) {
    this.items = items.texts();
    this.fields =
        fields.stream().allMatch(Pointers::areTopLevel)
            ? Set.copyOf(fields.stream().flatMap(pointers -> pointers.names().stream()).toList())
            : null;
  }

  /**
   * @throws io.hooktally.store.InvalidJsonException when it is not exactly one JSON document
   */
  Answer read(byte[] bytes) {
    byte[] utf8 = isUtf8(bytes) ? bytes : Json.parse(bytes).toString().getBytes(UTF_8);
    IdentityHashMap<JsonNode, List<Row>> rows = new IdentityHashMap<>();
    JsonNode envelope = Json.read(utf8, parser -> envelope(parser, "", utf8, rows));
    return new Answer(envelope, rows);
  }

  // UTF-16 and UTF-32 have a zero among the first bytes of any document, or a mark of their own.
  private static boolean isUtf8(byte[] bytes) {
    for (int i = 0; i < Math.min(4, bytes.length); i++) {
      if (bytes[i] == 0 || bytes[i] == (byte) 0xFE || bytes[i] == (byte) 0xFF) {
        return false;
      }
    }
    return true;
  }

  private JsonNode envelope(
      JsonParser parser, String at, byte[] bytes, IdentityHashMap<JsonNode, List<Row>> rows)
      throws IOException {
    if (parser.currentToken() == JsonToken.START_ARRAY && items.contains(at)) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      rows.put(array, rows(parser, bytes));
      return array;
    }
    boolean above = items.stream().anyMatch(item -> item.startsWith(at + "/"));
    if (above && parser.currentToken() == JsonToken.START_OBJECT) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        object.set(name, envelope(parser, at + "/" + escaped(name), bytes, rows));
      }
      return object;
    }
    if (above && parser.currentToken() == JsonToken.START_ARRAY) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        array.add(envelope(parser, at + "/" + array.size(), bytes, rows));
      }
      return array;
    }
    return Json.tree(parser);
  }

  private static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  private List<Row> rows(JsonParser parser, byte[] bytes) throws IOException {
    List<Row> rows = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      int from = (int) parser.currentTokenLocation().getByteOffset();
      Set<String> wanted = fields;
      JsonNode head =
          wanted != null && parser.currentToken() == JsonToken.START_OBJECT
              ? head(parser, wanted)
              : Json.tree(parser);
      int to = (int) parser.currentLocation().getByteOffset();
      rows.add(new Row(new RowText(bytes, from, to), head));
    }
    return rows;
  }

  private static JsonNode head(JsonParser parser, Set<String> wanted) throws IOException {
    ObjectNode head = JsonNodeFactory.instance.objectNode();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (!wanted.contains(name)) {
        parser.skipChildren();
      } else if (value == JsonToken.VALUE_STRING) {
        head.set(name, TextNode.valueOf(parser.getText()));
      } else {
        head.set(name, Json.tree(parser));
      }
    }
    return head;
  }
}
