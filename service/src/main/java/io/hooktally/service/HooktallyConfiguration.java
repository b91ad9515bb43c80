package io.hooktally.service;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.core.Configuration;
import io.hooktally.reconcile.source.Problem;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.service.alert.AlertsConfig;
import io.hooktally.store.DatabaseConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Everything that config.yml may say. A section left out has its defaults. */
public final class HooktallyConfiguration extends Configuration {
  private final DatabaseConfig database;
  private final ReceiveConfig receive;
  private final ReconcileConfig reconcile;
  private final AlertsConfig alerts;
  private final Map<String, SourceConfig> sources;

  /** Binds the sections; for the configuration's reader. */
  @JsonCreator
  HooktallyConfiguration(
      @JsonProperty("database") @Nullable DatabaseConfig database,
      @JsonProperty("receive") @Nullable ReceiveConfig receive,
      @JsonProperty("reconcile") @Nullable ReconcileConfig reconcile,
      @JsonProperty("alerts") @Nullable AlertsConfig alerts,
      @JsonProperty("sources") @Nullable Map<String, SourceConfig> sources) {
    this.database = database == null ? DatabaseConfig.embedded(Path.of("data")) : database;
    this.receive = Objects.requireNonNullElse(receive, new ReceiveConfig(null, null, null));
    this.reconcile =
        Objects.requireNonNullElse(
            reconcile, new ReconcileConfig(null, null, null, null, null, null));
    this.alerts = Objects.requireNonNullElse(alerts, new AlertsConfig(null));
    Map<String, SourceConfig> named = new LinkedHashMap<>();
    if (sources != null) {
      sources.forEach(
          (name, source) -> {
            if (source != null) {
              named.put(name, source.named(name));
            }
          });
    }
    this.sources = Collections.unmodifiableMap(named);
  }

  /** Where the data is kept. */
  public DatabaseConfig database() {
    return database;
  }

  /** What deliveries may cost. */
  public ReceiveConfig receive() {
    return receive;
  }

  /** The daily run. */
  public ReconcileConfig reconcile() {
    return reconcile;
  }

  /** Where alerts go. */
  public AlertsConfig alerts() {
    return alerts;
  }

  /** The sources by name, in the order of the file. */
  public Map<String, SourceConfig> sources() {
    return sources;
  }

  /** All that is bound and still cannot work. */
  List<Problem> problems() {
    List<Problem> problems = new ArrayList<>();
    database.problems("database").stream()
        .map(HooktallyConfiguration::databaseProblem)
        .forEach(problems::add);
    problems.addAll(receive.problems());
    problems.addAll(reconcile.problems());
    problems.addAll(alerts.problems());
    sources.values().forEach(source -> problems.addAll(source.problems()));
    return problems;
  }

  /** Theirs are whole sentences that begin with the key. */
  private static Problem databaseProblem(String sentence) {
    return new Problem(sentence.replaceAll("[ ,].*", ""), "", "", sentence);
  }
}
