package io.hooktally.service.receive;

import io.hooktally.store.DatabaseAddress;
import io.hooktally.store.EmbeddedDatabase;
import io.hooktally.store.Migrations;
import io.hooktally.store.inbox.Inbox;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Deliveries per second over HTTP beside {@code pgbench} running the inbox's own statement for one
 * event, with one embedded, durable PostgreSQL. Prints a table. System properties: {@code
 * benchmark.seconds} of a measurement, {@code benchmark.rounds}, {@code benchmark.warmup}
 * (seconds), {@code benchmark.ledger} (ids written before a last part, which takes minutes; 0:
 * none).
 */
public final class ReceiveBenchmark {
  private static final int SECONDS = Integer.getInteger("benchmark.seconds", 5);
  private static final int DELAY_MICROS = Integer.getInteger("benchmark.fsync", 0);
  private static final EmbeddedDatabase.Options OPTIONS =
      EmbeddedDatabase.Options.defaults()
          .withTimeout(Duration.ofMinutes(1))
          .withSettings(Map.of("max_connections", "200"));
  private static final Pattern TPS = Pattern.compile("tps = ([0-9.]+)");
  private static final byte[] BODY =
      ("{\"order_id\":\"8c4b\",\"note\":\"" + "x".repeat(1470) + "\"}")
          .getBytes(StandardCharsets.UTF_8);

  private final DatabaseAddress database;
  private final int port;
  private final Map<String, List<Load.Result>> results = new LinkedHashMap<>();

  private ReceiveBenchmark(DatabaseAddress database, int port) {
    this.database = database;
    this.port = port;
  }

  /**
   * Runs it all.
   *
   * @param arguments none; or a folder, to run a database there until the input ends
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      hold(Path.of(arguments[0]));
      return;
    }
    Path folder = Files.createTempDirectory("hooktally-benchmark");
    Process holder = DELAY_MICROS > 0 ? holder(folder) : null;
    try (EmbeddedDatabase server = EmbeddedDatabase.open(folder, OPTIONS)) {
      server.closeAtExit();
      measure(server.address());
    } finally {
      if (holder != null) {
        holder.getOutputStream().close();
        holder.waitFor();
      }
      deleteAll(folder);
    }
  }

  private static void measure(DatabaseAddress address) throws Exception {
    new Migrations(address).migrate();
    execute(address, "insert into hooktally.consumer (name, source) values ('replica', 'shop')");
    Process receiver = receiver(address);
    try {
      int port = Integer.parseInt(line(receiver));
      new ReceiveBenchmark(address, port).measure();
    } finally {
      receiver.destroy();
      receiver.waitFor();
    }
  }

  // Of all processes only PostgreSQL's are to be traced.
  private static Process holder(Path folder) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "strace",
                "-f",
                "-qq",
                "--seccomp-bpf",
                "-o",
                "/dev/null",
                "-e",
                "trace=fdatasync",
                "-e",
                "inject=fdatasync:delay_enter=" + DELAY_MICROS));
    command.addAll(java(ReceiveBenchmark.class, folder.toString()));
    Process holder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    line(holder);
    return holder;
  }

  private static void hold(Path folder) throws IOException {
    try (EmbeddedDatabase server = EmbeddedDatabase.open(folder, OPTIONS)) {
      System.out.println(server.port());
      System.in.transferTo(OutputStream.nullOutputStream());
    }
    System.exit(0);
  }

  private static void deleteAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private void measure() throws Exception {
    int warmup = Integer.getInteger("benchmark.warmup", 45);
    System.out.printf("warming up for %d s%n", warmup);
    load(0).run(32, warmup, 0);
    // What the database does at first it does not do later.
    pgbench("", 16);
    results.clear();
    for (int round = 0; round < Integer.getInteger("benchmark.rounds", 3); round++) {
      pgbench("pgbench, 16 clients", 16);
      pgbench("pgbench, 128 clients", 128);
      for (int connections : new int[] {1, 8, 32, 128, 256}) {
        note("receiver, " + connections + " connections", load(0).run(connections, SECONDS, 0));
      }
      double full = median("receiver, 128 connections").rate();
      note("receiver, 128 connections, half of that", load(0).run(128, SECONDS, full / 2));
      note("receiver, 128 connections, 30 % duplicates", load(0.3).run(128, SECONDS, 0));
    }
    long ledger = Long.getLong("benchmark.ledger", 0);
    if (ledger > 0) {
      print();
      execute(database, "truncate hooktally.processed_event, hooktally.event_payload");
      ledger("as good as empty");
      fill(ledger);
      ledger(String.format(Locale.ROOT, "%,d ids there", ledger));
    }
    print();
  }

  private void ledger(String what) throws InterruptedException {
    for (int round = 0; round < 3; round++) {
      note("receiver, 128 connections, " + what, load(0).run(128, 2 * SECONDS, 0));
    }
  }

  private Load load(double duplicates) {
    return new Load(port, BODY, Signing.v0(ReceiverServer.SECRET, BODY), duplicates);
  }

  private void note(String what, Load.Result result) {
    results.computeIfAbsent(what, any -> new ArrayList<>()).add(result);
  }

  private Load.Result median(String what) {
    List<Load.Result> sorted = new ArrayList<>(results.getOrDefault(what, List.of()));
    sorted.sort(Comparator.comparingDouble(Load.Result::rate));
    return sorted.isEmpty() ? new Load.Result(0, 0, 0, 0, 0) : sorted.get(sorted.size() / 2);
  }

  private void print() {
    double yardstick = median("pgbench, 16 clients").rate();
    System.out.println(
        "| what | events/s | of pgbench at 16 | p50, ms | p99, ms | p99.9, ms | no 2xx |");
    System.out.println("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (String what : results.keySet()) {
      Load.Result result = median(what);
      System.out.printf(
          Locale.ROOT,
          "| %s | %,.0f | %.2f | %.1f | %.1f | %.1f | %d |%n",
          what,
          result.rate(),
          result.rate() / yardstick,
          result.p50(),
          result.p99(),
          result.p999(),
          result.refused());
    }
  }

  private void fill(long ids) throws SQLException {
    System.out.printf("writing %,d ids%n", ids);
    execute(
        database,
        """
        insert into hooktally.processed_event
            (source, event_id, topic, body_sha256, first_received_at, last_received_at)
        select 'shop', 'evt_' || md5(i::text), 'order.placed', sha256(i::text::bytea), now(), now()
        from generate_series(1, %d) as i
        order by md5(i::text) collate "C"
        """
            .formatted(ids));
    execute(database, "vacuum analyze hooktally.processed_event");
  }

  private void pgbench(String what, int clients) throws Exception {
    Path script = Files.createTempFile("hooktally-event", ".sql");
    try {
      Files.writeString(script, statement(), StandardCharsets.UTF_8);
      Matcher url = Pattern.compile("//([^:/]+):(\\d+)/([^?]+)").matcher(database.url());
      if (!url.find()) {
        throw new IllegalStateException("no host and port in the database's URL");
      }
      ProcessBuilder pgbench =
          new ProcessBuilder(
              List.of(
                  "pgbench",
                  "-n",
                  "-M",
                  "prepared",
                  "-f",
                  script.toString(),
                  "-c",
                  String.valueOf(clients),
                  "-j",
                  "2",
                  "-T",
                  String.valueOf(SECONDS),
                  "-h",
                  url.group(1),
                  "-p",
                  url.group(2),
                  "-U",
                  database.user(),
                  url.group(3)));
      pgbench.environment().put("PGPASSWORD", database.password().value());
      pgbench.environment().put("PGOPTIONS", "-c search_path=hooktally");
      pgbench.redirectErrorStream(true);
      Process process = pgbench.start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher tps = TPS.matcher(out);
      if (process.waitFor() != 0 || !tps.find()) {
        throw new IllegalStateException("pgbench: " + out);
      }
      note(what, new Load.Result(Double.parseDouble(tps.group(1)), 0, 0, 0, 0));
    } catch (IOException e) {
      System.out.println("no pgbench here (" + e.getMessage() + "): no ratios");
    } finally {
      Files.delete(script);
    }
  }

  // The product's own, for one event. Each client counts in a row of its own, as an instance does.
  private static String statement() throws ReflectiveOperationException {
    Field insert =
        Class.forName(Inbox.class.getPackageName() + ".EventRows").getDeclaredField("INSERT");
    insert.setAccessible(true);
    String body = "array[decode(repeat('7b', " + BODY.length + "), 'hex')]";
    String sql =
        ((String) insert.get(null))
            .replace(":sources", "array['shop']")
            .replace(":ids", "array['evt_' || :a || '-' || :b]")
            .replace(":topics", "array['order.placed']")
            .replace(":hashes", "array[decode(repeat('00', 32), 'hex')]")
            .replace(":headers", "array['{\"Content-Type\":[\"application/json\"]}']")
            .replace(":bodies", body)
            .replace(":instance", "'pgbench-' || :client_id")
            .replaceAll("\\s*\\n\\s*", " ");
    return "\\set a random(1, 1000000000)\n\\set b random(1, 1000000000)\n" + sql.strip() + ";\n";
  }

  private static Process receiver(DatabaseAddress address) throws IOException {
    List<String> command =
        java(ReceiverProgram.class, address.url(), address.user(), address.password().value());
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static List<String> java(Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  // The log goes to the same stream.
  private static String line(Process process) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = lines.readLine();
    while (line != null && !line.matches("\\d+")) {
      line = lines.readLine();
    }
    if (line == null) {
      throw new IOException("the receiver did not start");
    }
    Thread drain =
        new Thread(
            () -> {
              try {
                while (lines.readLine() != null) {
                  // Its log is of no interest.
                }
              } catch (IOException e) {
                // It has ended.
              }
            });
    drain.setDaemon(true);
    drain.start();
    return line;
  }

  private static void execute(DatabaseAddress address, String... statements) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(address.url(), address.user(), address.password().value());
        Statement statement = connection.createStatement()) {
      for (String sql : Arrays.asList(statements)) {
        statement.execute(sql);
      }
    }
  }
}
