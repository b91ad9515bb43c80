package io.hooktally.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Secrets of a configuration: they come from the environment or from a file and never stand in
 * config.yml itself, which people mail, commit and paste into tickets.
 */
final class SecretValues {
  private static final Pattern KEYS =
      Pattern.compile(
          "database\\.password"
              + "|alerts\\.webhookUrl"
              + "|sources\\.[^.]+\\.signature\\.secrets(\\[\\d+])?"
              + "|sources\\.[^.]+\\.api\\.secretHeaders\\..+(?<!\\.file)"
              + "|(server|logging|metrics)\\..*[pP]assword");
  private static final Pattern FROM_ENVIRONMENT =
      Pattern.compile("\\$\\{[A-Za-z_][A-Za-z0-9_]*(:-)?}");
  private static final String WANTED = "${NAME}, ${NAME:-} or {file: /path}";

  private SecretValues() {}

  /** Refuses secrets written out; to be called before anything is substituted. */
  static void refuseLiterals(ObjectNode root, ConfigProblems problems) {
    TreeWalk.over(
        root,
        (key, value) -> {
          if (!isSecret(key, value) || isFile(value) || isReference(value)) {
            return value;
          }
          problems.add(
              key,
              "a secret written into the file",
              WANTED,
              "Put the secret into the environment or a file only Hooktally can read, and replace"
                  + " it at the source: this one has been in a configuration file.");
          return TextNode.valueOf("");
        });
  }

  /** Reads the secrets that lie in files; relative paths start at {@code folder}. */
  static void readFiles(ObjectNode root, Path folder, ConfigProblems problems) {
    TreeWalk.over(
        root,
        (key, value) ->
            isSecret(key, value) && isFile(value)
                ? TextNode.valueOf(read(key, folder.resolve(value.path("file").asText()), problems))
                : value);
  }

  private static boolean isSecret(String key, JsonNode value) {
    return !value.isArray() && KEYS.matcher(key).matches();
  }

  private static boolean isFile(JsonNode value) {
    return value.isObject() && value.size() == 1 && value.path("file").isTextual();
  }

  private static boolean isReference(JsonNode value) {
    return value.isTextual()
        && (value.textValue().isBlank()
            || FROM_ENVIRONMENT.matcher(value.textValue().strip()).matches());
  }

  private static String read(String key, Path file, ConfigProblems problems) {
    try {
      String text = Files.readString(file);
      return text.endsWith("\r\n")
          ? text.substring(0, text.length() - 2)
          : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    } catch (NoSuchFileException e) {
      problems.add(
          key + ".file",
          file + ", which does not exist",
          "a file that holds the secret",
          "Create it, or correct the path.");
    } catch (IOException e) {
      problems.add(
          key + ".file",
          file + ", which cannot be read as text",
          "a file that holds the secret",
          "Let the user that runs Hooktally read it.");
    }
    return "";
  }
}
