package io.hooktally.store.inbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hooktally.store.StoreException;
import java.util.List;
import java.util.Map;

/** Headers as the database keeps them: one JSON object, name to list of values. */
final class Headers {
  private static final TypeReference<Map<String, List<String>>> TYPE = new TypeReference<>() {};
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final ObjectWriter WRITER = MAPPER.writerFor(TYPE);
  private static final ObjectReader READER = MAPPER.readerFor(TYPE);

  private Headers() {}

  static String write(Map<String, List<String>> headers) {
    try {
      return WRITER.writeValueAsString(headers);
    } catch (JsonProcessingException e) {
      throw new StoreException("The headers of a delivery cannot be written as JSON.", e);
    }
  }

  static Map<String, List<String>> read(String json) {
    try {
      return READER.readValue(json);
    } catch (JsonProcessingException e) {
      throw new StoreException(
          "The headers stored with a payload are not name -> [values]. Was event_payload changed"
              + " by hand?",
          e);
    }
  }
}
