package io.hooktally.service.cli;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.hooktally.reconcile.source.EventConfig;
import io.hooktally.reconcile.source.SignatureScheme;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.service.HooktallyConfiguration;
import io.hooktally.service.receive.DeliverySigner;
import io.hooktally.store.Json;
import io.hooktally.store.Secret;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;

/** Sends a signed test delivery and says what came back: is the way from outside to us open? */
public final class PingCommand extends HooktallyCommand {
  /** Never an entity's: stored, and done without a consumer. */
  static final String TOPIC = "hooktally.ping";

  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long MOST_SHOWN = 2000;

  private final InstantSource clock;

  /** As named on the command line. */
  public PingCommand(InstantSource clock) {
    super(
        "ping",
        "Sends a signed test delivery (topic hooktally.ping) and says what came back. Exit code 0:"
            + " it was taken; 1: it was not.");
    this.clock = clock;
  }

  @Override
  public void configure(Subparser parser) {
    super.configure(parser);
    parser.addArgument("--source").required(true).help("a source's name in config.yml");
    parser
        .addArgument("--url")
        .metavar("U")
        .help("the endpoint's public URL; left out: the application port of this machine");
  }

  @Override
  int execute(Namespace arguments, HooktallyConfiguration configuration, PrintStream out) {
    SourceConfig source = configuration.sources().get(arguments.getString("source"));
    if (source == null) {
      System.err.println("--source must be one of " + configuration.sources().keySet() + ".");
      return ExitCode.USAGE;
    }
    HttpUrl url = url(arguments.getString("url"), source.name(), configuration);
    if (url == null) {
      System.err.println(
          "--url must be an http or https URL such as https://example.com/webhooks/x.");
      return ExitCode.USAGE;
    }
    List<Secret> secrets = source.signature().usable(clock.instant());
    if (source.signature().scheme() != SignatureScheme.NONE && secrets.isEmpty()) {
      System.err.println(
          "Source "
              + source.name()
              + " has no secret to sign with: set sources."
              + source.name()
              + ".signature.secrets.");
      return ExitCode.FAILED;
    }
    return send(request(url, source, secrets), out);
  }

  private Request request(HttpUrl url, SourceConfig source, List<Secret> secrets) {
    ObjectNode content = Json.mapper().createObjectNode();
    content.put("topic", TOPIC).put("sent_at", clock.instant().toString());
    String id = "hooktally-ping-" + UUID.randomUUID();
    EventConfig event = source.event();
    Map<String, String> headers = new LinkedHashMap<>();
    put(event.idHeader(), event.id(), id, headers, content);
    put(event.topicHeader(), event.topic(), TOPIC, headers, content);
    byte[] body = content.toString().getBytes(StandardCharsets.UTF_8);
    if (!secrets.isEmpty()) {
      headers.putAll(
          DeliverySigner.sign(
              source.signature(), secrets.get(0), clock.instant(), Map.copyOf(headers), body));
    }
    Request.Builder request =
        new Request.Builder()
            .url(url)
            .post(RequestBody.create(body, MediaType.get("application/json")));
    headers.forEach(request::header);
    return request.build();
  }

  // Into the header, or where none is configured to where the body has it.
  private static void put(
      String header,
      List<String> pointers,
      String value,
      Map<String, String> headers,
      ObjectNode content) {
    if (!header.isBlank()) {
      headers.put(header, value);
    } else if (!pointers.isEmpty()) {
      JsonPointer pointer = JsonPointer.compile(pointers.get(0));
      ObjectNode parent =
          pointer.head().matches() ? content : content.withObject(pointer.head().toString());
      parent.put(pointer.last().getMatchingProperty(), value);
    }
  }

  private static int send(Request request, PrintStream out) {
    OkHttpClient http =
        new OkHttpClient.Builder()
            .callTimeout(LIMIT)
            .connectTimeout(LIMIT)
            .readTimeout(LIMIT)
            .writeTimeout(LIMIT)
            .retryOnConnectionFailure(false)
            // A sender of webhooks would not follow either.
            .followRedirects(false)
            .build();
    try (Response response = http.newCall(request).execute();
        ResponseBody body = response.peekBody(MOST_SHOWN)) {
      out.println(request.url() + " answered " + response.code() + " " + body.string().strip());
      return response.isSuccessful() ? ExitCode.OK : ExitCode.FAILED;
    } catch (IOException e) {
      System.err.println(
          request.url() + " did not answer: " + e.getMessage() + ". Does the server run there?");
      return ExitCode.FAILED;
    }
  }

  private static @Nullable HttpUrl url(
      @Nullable String given, String source, HooktallyConfiguration configuration) {
    if (given != null) {
      return HttpUrl.parse(given);
    }
    if (configuration.getServerFactory() instanceof DefaultServerFactory server
        && !server.getApplicationConnectors().isEmpty()
        && server.getApplicationConnectors().get(0) instanceof HttpConnectorFactory http) {
      String host = String.valueOf(http.getBindHost());
      boolean any = host.equals("0.0.0.0") || host.equals("::");
      return new HttpUrl.Builder()
          .scheme(http.getClass() == HttpConnectorFactory.class ? "http" : "https")
          .host(any ? "127.0.0.1" : host)
          .port(http.getPort())
          .addPathSegments("webhooks/" + source)
          .build();
    }
    return null;
  }
}
