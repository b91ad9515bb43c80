package io.hooktally.service;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import io.dropwizard.util.DataSize;
import io.hooktally.reconcile.source.ByteSize;
import io.hooktally.store.Secret;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Says in words what kind of value a type takes, for people who write YAML. */
final class Shapes {
  private static final Map<Class<?>, String> WORDS =
      Map.ofEntries(
          Map.entry(Duration.class, "a duration such as 500ms, 30s, 8h, 2d or PT30S"),
          Map.entry(io.dropwizard.util.Duration.class, "a duration such as 500ms, 30s, 8h or 2d"),
          Map.entry(ByteSize.class, "a size such as 512KiB or 1MiB"),
          Map.entry(DataSize.class, "a size such as 512KiB or 1MiB"),
          Map.entry(LocalTime.class, "a time of day in quotes, such as \"04:30\""),
          Map.entry(ZoneId.class, "a time zone such as Europe/Berlin or UTC"),
          Map.entry(Secret.class, "${NAME}, ${NAME:-} or {file: /path}"),
          Map.entry(Path.class, "a path"),
          Map.entry(Boolean.class, "true or false"),
          Map.entry(boolean.class, "true or false"),
          Map.entry(String.class, "a text"));

  private final ObjectMapper mapper;

  Shapes(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  String of(Class<?> type) {
    String known = WORDS.get(type);
    if (known != null) {
      return known;
    }
    if (type.isEnum()) {
      return "one of " + constants(type);
    }
    if (type == Double.class || type == double.class || type == Float.class) {
      return "a number";
    }
    if (Number.class.isAssignableFrom(type) || type.isPrimitive()) {
      return "a whole number";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    return Map.class.isAssignableFrom(type) ? "a section of keys and values" : section(type);
  }

  private String section(Class<?> type) {
    JavaType java = mapper.constructType(type);
    List<String> names =
        mapper.getDeserializationConfig().introspect(java).findProperties().stream()
            .filter(BeanPropertyDefinition::couldDeserialize)
            .map(BeanPropertyDefinition::getName)
            .sorted()
            .toList();
    return names.isEmpty() ? "a known kind of section" : "a section with keys of " + names;
  }

  private static List<String> constants(Class<?> type) {
    return Arrays.stream(type.getFields()).filter(Field::isEnumConstant).map(Shapes::name).toList();
  }

  private static String name(Field constant) {
    JsonProperty named = constant.getAnnotation(JsonProperty.class);
    return named == null ? constant.getName().toLowerCase(Locale.ROOT) : named.value();
  }
}
