package io.hooktally.service;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.jersey.validation.Validators;
import jakarta.validation.Validator;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;

/** Reads configurations in tests, with an environment of their own. */
final class ConfigReader {
  private static final ObjectMapper MAPPER = Jackson.newObjectMapper();
  private static final Validator VALIDATOR = Validators.newValidator();

  private final Map<String, String> environment;

  ConfigReader(Map<String, String> environment) {
    this.environment = environment;
  }

  HooktallyConfiguration read(String yaml) throws Exception {
    return factory()
        .build(
            path -> new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)),
            "/etc/hooktally/config.yml");
  }

  HooktallyConfiguration read(Path file) throws Exception {
    return factory().build(path -> Files.newInputStream(Path.of(path)), file.toString());
  }

  Collection<String> problems(String yaml) throws Exception {
    try {
      read(yaml);
    } catch (InvalidConfigurationException e) {
      return e.getErrors();
    }
    throw new AssertionError("was accepted");
  }

  private ConfigFile factory() {
    return new ConfigFile(MAPPER, VALIDATOR, environment::get);
  }
}
