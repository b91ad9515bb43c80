package io.hooktally.service;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.hooktally.reconcile.source.DurationReader;
import io.hooktally.store.Secret;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Value types of config.yml that Jackson does not know, or reads otherwise. */
final class ConfigTypes extends SimpleModule {
  @Serial private static final long serialVersionUID = 1L;

  ConfigTypes() {
    addDeserializer(Secret.class, new SecretReader());
    addDeserializer(Duration.class, new DurationReader());
  }

  private static final class SecretReader extends FromStringDeserializer<Secret> {
    @Serial private static final long serialVersionUID = 1L;

    SecretReader() {
      super(Secret.class);
    }

    @Override
    public @Nullable Secret deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return parser.currentToken().isStructStart()
          ? (Secret) context.handleUnexpectedToken(Secret.class, parser)
          : Secret.of(parser.getText());
    }

    @Override
    protected Secret _deserialize(String value, DeserializationContext context) {
      return Secret.of(value);
    }
  }
}
