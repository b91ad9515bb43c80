package io.hooktally.service.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hooktally.store.inbox.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Stored payloads as JSON. */
final class Payloads {
  private Payloads() {}

  /** The bytes as they came ({@code base64}), also as {@code text} where they are UTF-8. */
  static ObjectNode json(Payload payload) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("headers", headers(payload.headers()));
    json.put("base64", Base64.getEncoder().encodeToString(payload.body()));
    try {
      json.put(
          "text",
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload.body())).toString());
    } catch (CharacterCodingException e) {
      json.putNull("text");
    }
    return json;
  }

  /** Name to values. */
  static ObjectNode headers(Map<String, List<String>> headers) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    headers.forEach(
        (name, values) -> {
          ArrayNode array = json.putArray(name);
          values.forEach(array::add);
        });
    return json;
  }
}
