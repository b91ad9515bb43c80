package io.hooktally.service;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Binds a configuration tree to objects. A value that does not fit is noted as a problem and left
 * out, and the binding goes on: so one pass finds all of them.
 */
final class Binding extends DeserializationProblemHandler {
  private static final String UNKNOWN = "a key that does not exist here";
  private static final String UNKNOWN_REMEDY =
      "Correct its spelling or its indentation, or remove it.";

  private final ConfigProblems problems;
  private final Shapes shapes;
  private final ObjectMapper mapper;

  Binding(ObjectMapper dropwizards, ConfigProblems problems) {
    this.problems = problems;
    this.mapper =
        dropwizards
            .copy()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
            .registerModule(new ConfigTypes())
            .addHandler(this);
    this.shapes = new Shapes(mapper);
  }

  /** Binds what fits of the tree; answers null only when nothing could be made of it. */
  <T> @Nullable T bind(ObjectNode tree, Class<T> type) throws IOException {
    ObjectNode left = tree.deepCopy();
    while (true) {
      try {
        return mapper.treeToValue(left, type);
      } catch (JsonMappingException e) {
        note(e);
        // What does not fit goes, with its section, and the rest is tried again.
        if (e.getPath().isEmpty() || left.remove(e.getPath().get(0).getFieldName()) == null) {
          return null;
        }
      }
    }
  }

  private void note(JsonMappingException e) {
    String key = ConfigKeys.of(e.getPath());
    if (e instanceof UnrecognizedPropertyException unknown) {
      problems.add(key, UNKNOWN, known(unknown.getKnownPropertyIds()), UNKNOWN_REMEDY);
    } else if (e instanceof InvalidTypeIdException unknown) {
      problems.add(
          key,
          "type: " + unknown.getTypeId(),
          "a type that exists",
          "Write for example type: http.");
    } else if (e instanceof InvalidFormatException misfit) {
      String came = ConfigProblems.shown(key, String.valueOf(misfit.getValue()));
      problems.add(key, came, shapes.of(misfit.getTargetType()), "Correct it.");
    } else {
      Class<?> wanted = e instanceof MismatchedInputException other ? other.getTargetType() : null;
      String shape = wanted == null ? "a value that fits" : shapes.of(wanted);
      problems.add(key, "something else", shape, "Correct it.");
    }
  }

  /** Dropwizard's own sections, whose types Jackson finds out in a way that loses the place. */
  private static boolean isDropwizards(String key) {
    return key.matches("(server|logging|metrics|admin|health)([.\\[].*)?");
  }

  @Override
  public boolean handleUnknownProperty(
      DeserializationContext context,
      JsonParser parser,
      @Nullable JsonDeserializer<?> deserializer,
      Object beanOrClass,
      String name)
      throws IOException {
    String key = ConfigKeys.of(parser.getParsingContext().pathAsPointer(), name);
    if (isDropwizards(ConfigKeys.of(context.getParser().getParsingContext().pathAsPointer()))) {
      return false;
    }
    Collection<Object> known = deserializer == null ? null : deserializer.getKnownPropertyNames();
    problems.add(key, UNKNOWN, known(known), UNKNOWN_REMEDY);
    parser.skipChildren();
    return true;
  }

  @Override
  public @Nullable Object handleWeirdStringValue(
      DeserializationContext context, Class<?> type, String value, String message) {
    return misfit(context.getParser(), type, value);
  }

  @Override
  public @Nullable Object handleWeirdNumberValue(
      DeserializationContext context, Class<?> type, Number value, String message) {
    return misfit(context.getParser(), type, value.toString());
  }

  @Override
  public @Nullable Object handleUnexpectedToken(
      DeserializationContext context,
      JavaType type,
      JsonToken token,
      JsonParser parser,
      String message)
      throws IOException {
    return skipped(parser, misfit(parser, type.getRawClass(), found(token, parser)));
  }

  @Override
  public @Nullable Object handleMissingInstantiator(
      DeserializationContext context,
      Class<?> type,
      ValueInstantiator instantiator,
      JsonParser parser,
      String message)
      throws IOException {
    return skipped(parser, misfit(parser, type, found(parser.currentToken(), parser)));
  }

  @Override
  public @Nullable Object handleInstantiationProblem(
      DeserializationContext context, Class<?> type, Object argument, Throwable problem) {
    return misfit(
        context.getParser(), type, argument instanceof String text ? text : "something else");
  }

  private @Nullable Object misfit(JsonParser parser, Class<?> type, String came) {
    String key = ConfigKeys.of(parser.getParsingContext().pathAsPointer());
    if (isDropwizards(key)) {
      return NOT_HANDLED;
    }
    problems.add(key, ConfigProblems.shown(key, came), shapes.of(type), "Correct it.");
    return null;
  }

  private static String known(@Nullable Collection<Object> keys) {
    return keys == null || keys.isEmpty()
        ? "a known key"
        : "one of " + keys.stream().map(String::valueOf).sorted().toList();
  }

  private static @Nullable Object skipped(JsonParser parser, @Nullable Object answer)
      throws IOException {
    if (answer == null) {
      parser.skipChildren();
    }
    return answer;
  }

  private static String found(@Nullable JsonToken token, JsonParser parser) throws IOException {
    if (token == JsonToken.START_OBJECT || token == JsonToken.FIELD_NAME) {
      return "a section";
    }
    return token == JsonToken.START_ARRAY ? "a list" : parser.getText();
  }
}
