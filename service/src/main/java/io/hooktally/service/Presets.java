package io.hooktally.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fills in what config.yml leaves out: the service's own defaults, and per source its preset. What
 * the user wrote wins, key by key; a list replaces a list.
 */
final class Presets {
  /** The presets there are; each is {@code /presets/<name>.yml}. */
  static final List<String> NAMES =
      List.of("revenexx", "outpost", "standard-webhooks", "svix", "stripe", "github", "shopify");

  private Presets() {}

  /** Answers the user's configuration with everything filled in. */
  static ObjectNode fillIn(ObjectNode user, ConfigProblems problems) {
    if (user.path("sources") instanceof ObjectNode sources) {
      sources
          .properties()
          .forEach(
              source -> {
                if (source.getValue() instanceof ObjectNode settings) {
                  source.setValue(fillInSource("sources." + source.getKey(), settings, problems));
                }
              });
    }
    return merge(resource("/defaults.yml"), user);
  }

  private static ObjectNode fillInSource(String key, ObjectNode source, ConfigProblems problems) {
    if (source.path("signature") instanceof TextNode scheme) {
      source.putObject("signature").set("scheme", scheme);
    }
    JsonNode preset = source.remove("preset");
    if (preset == null) {
      return source;
    }
    if (!NAMES.contains(preset.asText())) {
      problems.add(
          key + ".preset",
          ConfigProblems.shown(key, preset.asText()),
          "one of " + NAMES,
          "Choose one of them, or leave preset out and describe the source in full.");
      return source;
    }
    return merge(resource("/presets/" + preset.asText() + ".yml"), source);
  }

  /** Deep: {@code over} wins wherever both say something. */
  static ObjectNode merge(ObjectNode under, ObjectNode over) {
    ObjectNode merged = under.deepCopy();
    over.properties()
        .forEach(
            entry -> {
              JsonNode below = merged.get(entry.getKey());
              boolean sections =
                  below instanceof ObjectNode && entry.getValue() instanceof ObjectNode;
              merged.set(
                  entry.getKey(),
                  sections
                      ? merge((ObjectNode) below, (ObjectNode) entry.getValue())
                      : entry.getValue());
            });
    return merged;
  }

  private static ObjectNode resource(String name) {
    try (@Nullable InputStream input = Presets.class.getResourceAsStream(name)) {
      if (input == null) {
        throw new IllegalStateException(name + " is not in the jar");
      }
      return YamlTree.read(input);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
