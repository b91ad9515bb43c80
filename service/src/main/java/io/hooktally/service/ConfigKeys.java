package io.hooktally.service;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.List;

/** Keys as people write them, {@code server.adminConnectors[0].port}, from Jackson's paths. */
final class ConfigKeys {
  private ConfigKeys() {}

  static String of(JsonPointer pointer) {
    StringBuilder key = new StringBuilder();
    for (JsonPointer at = pointer; at != null && !at.matches(); at = at.tail()) {
      if (at.mayMatchElement()) {
        key.append('[').append(at.getMatchingIndex()).append(']');
      } else {
        key.append(key.isEmpty() ? "" : ".").append(at.getMatchingProperty());
      }
    }
    return key.isEmpty() ? "config.yml" : key.toString();
  }

  /** The same, with {@code name} as its last part, whether or not the pointer has it already. */
  static String of(JsonPointer pointer, String name) {
    JsonPointer last = pointer.last();
    boolean there = last != null && name.equals(last.getMatchingProperty());
    return of(there ? pointer : pointer.appendProperty(name));
  }

  static String of(List<JsonMappingException.Reference> path) {
    StringBuilder key = new StringBuilder();
    for (JsonMappingException.Reference part : path) {
      if (part.getFieldName() == null) {
        key.append('[').append(part.getIndex()).append(']');
      } else {
        key.append(key.isEmpty() ? "" : ".").append(part.getFieldName());
      }
    }
    return key.isEmpty() ? "config.yml" : key.toString();
  }
}
