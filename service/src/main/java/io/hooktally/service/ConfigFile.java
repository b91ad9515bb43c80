package io.hooktally.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.configuration.ConfigurationFactory;
import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.hooktally.reconcile.source.Problem;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a configuration out of config.yml: fill in defaults and presets, refuse secrets written
 * out, put in the environment's values, bind, check. All problems found are told at once.
 */
final class ConfigFile implements ConfigurationFactory<HooktallyConfiguration> {
  private final ObjectMapper mapper;
  private final Validator validator;
  private final Function<String, @Nullable String> environment;

  /**
   * @param environment answers null for a variable that is not set
   */
  ConfigFile(
      ObjectMapper mapper, Validator validator, Function<String, @Nullable String> environment) {
    this.mapper = mapper;
    this.validator = validator;
    this.environment = environment;
  }

  @Override
  public HooktallyConfiguration build(ConfigurationSourceProvider provider, String path)
      throws IOException, InvalidConfigurationException {
    try (InputStream input = provider.open(path)) {
      return build(YamlTree.read(input), path);
    } catch (JsonProcessingException e) {
      throw new InvalidConfigurationException(path, List.of(unreadable(e)));
    } catch (YamlTree.NotKeysException e) {
      throw new InvalidConfigurationException(
          path,
          List.of("it holds a list or a single value; write keys such as sources: and database:"));
    } catch (java.nio.file.NoSuchFileException | java.io.FileNotFoundException e) {
      throw new InvalidConfigurationException(
          path, List.of("there is no such file, or it cannot be read; name config.yml's path"));
    }
  }

  @Override
  public HooktallyConfiguration build() throws InvalidConfigurationException {
    throw new InvalidConfigurationException(
        "The command",
        List.of("no configuration file is named; write for example: server config.yml"));
  }

  private HooktallyConfiguration build(ObjectNode user, String path)
      throws IOException, InvalidConfigurationException {
    Path folder =
        Objects.requireNonNullElse(Path.of(path).toAbsolutePath().getParent(), Path.of("/"));
    ConfigProblems problems = new ConfigProblems();
    ObjectNode tree = Presets.fillIn(user, problems);
    SecretValues.refuseLiterals(tree, problems);
    new Substitution(environment).apply(tree, problems);
    SecretValues.readFiles(tree, folder, problems);
    Listeners.settle(tree, problems);
    placeData(tree, folder);
    HooktallyConfiguration configuration =
        new Binding(mapper, problems).bind(tree, HooktallyConfiguration.class);
    if (configuration != null) {
      configuration.problems().forEach(problems::add);
      validator.validate(configuration).forEach(violation -> problems.add(problem(violation)));
    }
    if (configuration == null || !problems.none()) {
      throw new InvalidConfigurationException(path, problems.lines());
    }
    return configuration;
  }

  /** The data lies beside config.yml, wherever the command was started. */
  private static void placeData(ObjectNode tree, Path folder) {
    if (tree.path("database") instanceof ObjectNode database
        && database.path("dataDir").isTextual()) {
      database.put("dataDir", folder.resolve(database.path("dataDir").asText()).toString());
    }
  }

  private static Problem problem(ConstraintViolation<?> violation) {
    String key = violation.getPropertyPath().toString();
    return new Problem(
        key,
        ConfigProblems.shown(key, String.valueOf(violation.getInvalidValue())),
        "a value that " + violation.getMessage(),
        "Correct it.");
  }

  /** Where the YAML breaks, without the parser's own words: they quote the text. */
  private static String unreadable(JsonProcessingException e) {
    String where =
        e.getLocation() == null
            ? ""
            : " in line "
                + e.getLocation().getLineNr()
                + ", column "
                + e.getLocation().getColumnNr();
    return e.getOriginalMessage().startsWith("Duplicate")
        ? "the same key stands twice in one section" + where + "; keep one of them"
        : "it is not YAML" + where + "; check indentation, quotes and colons there";
  }
}
