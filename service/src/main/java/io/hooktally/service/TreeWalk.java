package io.hooktally.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** A walk over a configuration tree, from the top down, that may replace what stands at a key. */
final class TreeWalk {
  private TreeWalk() {}

  /** One stop of the walk. */
  interface Stop {
    /**
     * Says what shall stand at a key; a section or list that stays is walked too.
     *
     * @param key as people write it: {@code server.adminConnectors[0].port}
     */
    JsonNode at(String key, JsonNode value);
  }

  static void over(ObjectNode root, Stop stop) {
    section("", root, stop);
  }

  private static void section(String key, ObjectNode section, Stop stop) {
    List<String> names = new ArrayList<>();
    section.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      String below = key.isEmpty() ? name : key + "." + name;
      JsonNode now = stop.at(below, section.path(name));
      section.set(name, now);
      inside(below, now, stop);
    }
  }

  private static void inside(String key, JsonNode value, Stop stop) {
    if (value instanceof ObjectNode section) {
      section(key, section, stop);
    } else if (value instanceof ArrayNode list) {
      for (int i = 0; i < list.size(); i++) {
        String below = key + "[" + i + "]";
        JsonNode now = stop.at(below, list.path(i));
        list.set(i, now);
        inside(below, now, stop);
      }
    }
  }
}
