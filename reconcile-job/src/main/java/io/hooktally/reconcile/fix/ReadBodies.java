package io.hooktally.reconcile.fix;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.hooktally.store.Json;
import java.nio.charset.StandardCharsets;

/** Keeps a body as text and gets it back the same: every digit, and half surrogates too. */
final class ReadBodies {
  private static final ObjectWriter WRITER =
      Json.mapper().writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);

  private ReadBodies() {}

  static String write(JsonNode body) {
    try {
      return WRITER.writeValueAsString(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  static JsonNode parse(String text) {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
