package io.hooktally.reconcile.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** The yardstick: downloads the pages of a window one after the other and parses them. */
final class PlainClient {
  private final OkHttpClient http = new OkHttpClient();
  private final ObjectMapper mapper = new ObjectMapper();

  /** How many rows of the window there are. */
  long rows(String base, Instant from) throws IOException {
    long offset = 0;
    while (true) {
      String url = base + "/orders?limit=200&offset=" + offset + "&order=updated_at.desc";
      JsonNode items;
      try (Response response = http.newCall(new Request.Builder().url(url).build()).execute()) {
        items = mapper.readTree(response.body().bytes()).get("items");
      }
      for (JsonNode item : items) {
        if (Instant.parse(item.get("updated_at").textValue()).isBefore(from)) {
          return offset;
        }
        offset++;
      }
      if (items.isEmpty()) {
        return offset;
      }
    }
  }
}
