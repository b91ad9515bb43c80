package io.hooktally.service.alert;

import io.hooktally.reconcile.source.Problem;
import io.hooktally.store.Secret;
import java.util.List;
import java.util.Objects;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Where alerts go, besides the log.
 *
 * @param webhookUrl receives each alert as JSON with a {@code text} field; a secret, since whoever
 *     knows such a URL can post to it. Not configured: alerts go to the log only
 */
public record AlertsConfig(Secret webhookUrl) {
  /** Fills in defaults. */
  public AlertsConfig(@Nullable Secret webhookUrl) {
    this.webhookUrl = Objects.requireNonNullElse(webhookUrl, Secret.none());
  }

  /** All that cannot work. */
  public List<Problem> problems() {
    return webhookUrl.isConfigured() && HttpUrl.parse(webhookUrl.value().strip()) == null
        ? List.of(
            new Problem(
                "alerts.webhookUrl",
                "something else",
                "a variable or file that holds an http or https URL",
                "Copy the incoming-webhook URL of your chat into it."))
        : List.of();
  }
}
