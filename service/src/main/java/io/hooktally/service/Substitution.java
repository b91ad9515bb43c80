package io.hooktally.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.function.Function;
import org.apache.commons.text.StringSubstitutor;
import org.apache.commons.text.lookup.StringLookupFactory;
import org.jspecify.annotations.Nullable;

/**
 * Puts the environment's values where the text says {@code ${NAME}} or {@code ${NAME:-default}};
 * {@code $${NAME}} stays as it is, without the first dollar sign. It works on values of the tree,
 * never on the file's text: whatever a variable holds cannot change the configuration's structure,
 * and comments are not looked at.
 */
final class Substitution {
  private final StringSubstitutor substitutor;

  /**
   * @param environment answers null for a variable that is not set
   */
  Substitution(Function<String, @Nullable String> environment) {
    substitutor =
        new StringSubstitutor(StringLookupFactory.INSTANCE.functionStringLookup(environment))
            .setEnableUndefinedVariableException(true)
            .setDisableSubstitutionInValues(true);
  }

  void apply(ObjectNode root, ConfigProblems problems) {
    TreeWalk.over(
        root,
        (key, value) ->
            value.isTextual() && value.textValue().indexOf('$') >= 0
                ? TextNode.valueOf(substituted(key, value.textValue(), problems))
                : value);
  }

  private String substituted(String key, String text, ConfigProblems problems) {
    try {
      return substitutor.replace(text);
    } catch (IllegalArgumentException e) {
      problems.add(
          key,
          "a variable that is not set in the environment, in " + variables(text),
          "variables that are set, or have a default",
          "Set it before the start, or write ${NAME:-} where it may be missing.");
      return "";
    }
  }

  /** The text without defaults: they may hold what is not for a message. */
  private static String variables(String text) {
    StringBuilder names = new StringBuilder();
    java.util.regex.Matcher matcher =
        java.util.regex.Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_.]*)").matcher(text);
    while (matcher.find()) {
      names.append(names.isEmpty() ? "" : ", ").append("${").append(matcher.group(1)).append('}');
    }
    return names.isEmpty() ? "a ${ without a name" : names.toString();
  }
}
