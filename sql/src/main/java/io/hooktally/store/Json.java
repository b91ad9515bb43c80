package io.hooktally.store;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/**
 * The one way JSON is read: strictly, and without losing a digit. Numbers keep every digit (no
 * doubles), of a duplicate key the last value wins (as in {@code jsonb}), a byte-order mark is
 * skipped, anything behind the document is an error. Nesting deeper than 1,000 levels, numbers
 * above 1,000 digits and strings above 20 million characters are refused. Thread-safe.
 */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .build();

  private static final ObjectReader TREE =
      MAPPER.readerFor(JsonNode.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Json() {}

  /** Reads a document token by token. */
  @FunctionalInterface
  public interface Reading<T> {
    /** From the parser's first token, which is current, to the document's last. */
    T read(JsonParser parser) throws IOException;
  }

  /**
   * Reads one document.
   *
   * @param bytes UTF-8 (UTF-16 and UTF-32 are recognised), with or without a byte-order mark
   * @throws InvalidJsonException when it is not exactly one JSON document
   */
  public static JsonNode parse(byte[] bytes) {
    return read(bytes, 0, bytes.length, Json::tree);
  }

  /** The same of a part of the bytes. */
  public static JsonNode parse(byte[] bytes, int from, int to) {
    return read(bytes, from, to, Json::tree);
  }

  /**
   * Reads one document without keeping all of it.
   *
   * @throws InvalidJsonException when it is not exactly one JSON document
   */
  public static <T> T read(byte[] bytes, Reading<T> reading) {
    return read(bytes, 0, bytes.length, reading);
  }

  /** The value that begins with the parser's current token, as a tree. */
  public static JsonNode tree(JsonParser parser) throws IOException {
    return TREE.readTree(parser);
  }

  private static <T> T read(byte[] bytes, int from, int to, Reading<T> reading) {
    try (JsonParser parser = MAPPER.createParser(bytes, from, to - from)) {
      if (parser.nextToken() == null) {
        throw new InvalidJsonException("no JSON: the body is empty");
      }
      T read = reading.read(parser);
      if (parser.nextToken() != null) {
        throw new InvalidJsonException("not JSON, more than one document");
      }
      return read;
    } catch (StreamConstraintsException e) {
      throw new InvalidJsonException(
          "JSON beyond the reader's limits (depth 1,000; numbers of 1,000 digits)");
    } catch (JsonEOFException e) {
      throw new InvalidJsonException("JSON that ends early, " + where(e));
    } catch (JsonProcessingException e) {
      throw new InvalidJsonException("not JSON, " + where(e));
    } catch (NumberFormatException | ArithmeticException e) {
      // The decimal parser's own way to say that an exponent does not fit.
      throw new InvalidJsonException("JSON beyond the reader's limits (a number's exponent)");
    } catch (IOException e) {
      // From bytes only the decoder throws this: the text is in no Unicode encoding.
      throw new InvalidJsonException("not JSON: the bytes are not UTF-8");
    }
  }

  // The exception's own message quotes the text; only the place may leave.
  private static String where(JsonProcessingException e) {
    return e.getLocation() == null
        ? "place unknown"
        : "line %d, column %d"
            .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
  }

  /** The mapper behind {@link #parse}, for writing trees and binding records. */
  public static JsonMapper mapper() {
    return MAPPER;
  }
}
