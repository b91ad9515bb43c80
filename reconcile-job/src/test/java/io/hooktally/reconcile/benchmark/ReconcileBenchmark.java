package io.hooktally.reconcile.benchmark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.sun.management.OperatingSystemMXBean;
import io.hooktally.reconcile.Pause;
import io.hooktally.reconcile.ReconcileSettings;
import io.hooktally.reconcile.Reconciler;
import io.hooktally.reconcile.RunRequest;
import io.hooktally.reconcile.SourceAccess;
import io.hooktally.reconcile.Window;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.store.Database;
import io.hooktally.store.Json;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.run.RunState;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Rows per second of whole runs beside a plain client in the same JVM, pages from a process of
 * their own, the embedded PostgreSQL with its usual, durable settings. Prints a table. System
 * properties: {@code benchmark.sizes} (rows in the window), {@code benchmark.every} (one row of so
 * many differs; 0: none), {@code benchmark.rounds}, {@code benchmark.warmup} (seconds), {@code
 * benchmark.outside} (rows outside the window).
 */
public final class ReconcileBenchmark {
  private record Result(
      double plain, double ours, double ratio, long jvmMillis, long databaseMillis, long heap) {}

  private final Replicas replicas;
  private final Database database;
  private final String api;
  private final PlainClient plain = new PlainClient();

  private ReconcileBenchmark(Replicas replicas, Database database, int port) {
    this.replicas = replicas;
    this.database = database;
    this.api = "http://127.0.0.1:" + port;
  }

  /** Runs it all. */
  public static void main(String[] arguments) throws Exception {
    int[] sizes = numbers("benchmark.sizes", "10000,100000,1000000");
    int largest = Arrays.stream(sizes).max().orElseThrow();
    long outside = Long.getLong("benchmark.outside", 0);
    Process orders = api(largest + 1000);
    try (Replicas replicas = Replicas.start()) {
      int port = Integer.parseInt(line(orders));
      System.out.printf("loading %,d orders and %,d outside the window%n", largest, outside);
      replicas.load(largest, outside);
      try (Database database = replicas.open()) {
        new ReconcileBenchmark(replicas, database, port).measure(sizes);
      }
    } finally {
      orders.destroy();
    }
  }

  private static int[] numbers(String property, String otherwise) {
    return Arrays.stream(System.getProperty(property, otherwise).split(","))
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  private static Process api(long count) throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElse("java"),
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            OrdersApi.class.getName(),
            String.valueOf(count))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static String line(Process process) throws IOException {
    StringBuilder line = new StringBuilder();
    int c;
    while ((c = process.getInputStream().read()) > '\n') {
      line.append((char) c);
    }
    return line.toString();
  }

  private void measure(int[] sizes) throws Exception {
    long warmup = Long.getLong("benchmark.warmup", 90);
    System.out.printf("warming up for %d s%n", warmup);
    long end = System.nanoTime() + warmup * 1_000_000_000L;
    while (System.nanoTime() < end) {
      plain(10_000);
      run(10_000, 1000);
    }
    int rounds = Integer.getInteger("benchmark.rounds", 3);
    System.out.println(
        "| rows | differing | plain client, rows/s | run, rows/s | ratio | JVM CPU, s | database CPU, s | peak heap, MB |");
    System.out.println("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (int size : sizes) {
      for (int every : numbers("benchmark.every", "0,1000,10")) {
        print(size, every, median(size, every, rounds));
      }
    }
  }

  private Result median(long size, int every, int rounds) throws Exception {
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      double plainRate = plain(size);
      long database = replicas.cpuMillis();
      long jvm = jvmMillis();
      resetPeaks();
      double rate = run(size, every);
      results.add(
          new Result(
              plainRate,
              rate,
              rate / plainRate,
              jvmMillis() - jvm,
              replicas.cpuMillis() - database,
              peakHeap()));
    }
    results.sort((left, right) -> Double.compare(left.ratio(), right.ratio()));
    return results.get(results.size() / 2);
  }

  private static void print(long size, int every, Result result) {
    System.out.printf(
        Locale.ROOT,
        "| %,d | %s | %,.0f | %,.0f | %.2f | %.1f | %.1f | %d |%n",
        size,
        every == 0 ? "none" : every == 1000 ? "0.1 %" : "10 %",
        result.plain(),
        result.ours(),
        result.ratio(),
        (double) result.jvmMillis() / 1000.0,
        (double) result.databaseMillis() / 1000.0,
        result.heap() >> 20);
  }

  private double plain(long size) throws IOException {
    long start = System.nanoTime();
    long rows = plain.rows(api + "/0/0", Orders.from(size));
    check(rows == size, "the plain client found " + rows + " rows instead of " + size);
    return size * 1e9 / (double) (System.nanoTime() - start);
  }

  private double run(long size, int every) {
    SourceConfig config = source(api + "/" + every + "/1");
    try (SourceClient client = new SourceClient(config, InstantSource.system())) {
      Reconciler reconciler =
          new Reconciler(
              database.jdbi(),
              List.of(new SourceAccess(config, client)),
              ReconcileSettings.in(ZoneOffset.UTC),
              "benchmark",
              Pause.sleeping());
      Window window = new Window(Orders.from(size), Orders.to());
      long start = System.nanoTime();
      RunReport report = reconciler.run(RunRequest.manual("shop", "order", window, RunMode.FIX));
      double rate = size * 1e9 / (double) (System.nanoTime() - start);
      check(report.state() == RunState.DONE, "the run failed: " + report.run().error());
      check(report.run().listed() == size, "listed " + report.run().listed());
      long differing = every == 0 ? 0 : size / every;
      check(report.counts().fixed() == differing, "fixed " + report.counts());
      replicas.restore(database, report.id());
      return rate;
    }
  }

  private static SourceConfig source(String url) {
    String json =
        """
        {"signature": "none", "event": {"idHeader": "X-Event-Id", "topicHeader": "X-Topic"},
         "api": {"url": "%s"}, "entities": {"order": {"topics": ["order.*"],
           "list": {"path": "/orders"}, "read": {"path": "/orders/{id}"}}}}
        """
            .formatted(url);
    try {
      return Json.mapper().readValue(json, SourceConfig.class).named("shop");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }

  private static long jvmMillis() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1_000_000;
  }

  private static void resetPeaks() {
    System.gc();
    ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  private static long peakHeap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getPeakUsage().getUsed())
        .sum();
  }
}
