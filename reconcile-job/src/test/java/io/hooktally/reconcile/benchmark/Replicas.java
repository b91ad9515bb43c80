package io.hooktally.reconcile.benchmark;

import io.hooktally.store.Database;
import io.hooktally.store.EmbeddedDatabase;
import io.hooktally.store.Json;
import io.hooktally.store.Migrations;
import io.hooktally.store.PoolOptions;
import io.hooktally.store.replica.CanonicalJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** A replica filled behind apply's back, in a durable PostgreSQL that ends with the benchmark. */
final class Replicas implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final EmbeddedDatabase server;
  private final long postmaster;

  private Replicas(EmbeddedDatabase server) throws SQLException, IOException {
    this.server = server;
    try (Connection connection = connect()) {
      int backend = connection.unwrap(PGConnection.class).getBackendPID();
      this.postmaster = Long.parseLong(fields(Path.of("/proc/" + backend))[1]);
    }
  }

  static Replicas start() throws SQLException, IOException {
    EmbeddedDatabase server =
        EmbeddedDatabase.ephemeral(
            EmbeddedDatabase.Options.defaults().withTimeout(Duration.ofMinutes(1)));
    server.closeAtExit();
    new Migrations(server.address()).migrate();
    return new Replicas(server);
  }

  Database open() {
    return Database.open(server.address(), PoolOptions.work("benchmark", 8));
  }

  /** So many orders as the source has them, and so many small rows with older times. */
  void load(long orders, long outside) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      copy(connection, orders);
      if (outside > 0) {
        statement.execute(
            """
            insert into hooktally.entity (source, entity_type, entity_id, epoch, modified_second,
                modified_nano, read_number, deleted, body, body_hash, altered, modified_at, lane, changed_at)
            select 'shop', 'order', 'old-' || i, 0, 1500000000 + i, 0, 0, false,
                   jsonb_build_object('id', 'old-' || i), '\\x00', false,
                   to_timestamp(1500000000 + i), 'live', clock_timestamp()
            from generate_series(1, %d) as i
            """
                .formatted(outside));
      }
      statement.execute("vacuum analyze hooktally.entity");
    }
  }

  private static void copy(Connection connection, long orders) throws SQLException {
    CopyIn copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn(
                """
                copy hooktally.entity (source, entity_type, entity_id, epoch, modified_second,
                    modified_nano, read_number, deleted, body, body_hash, altered, modified_at, lane, changed_at)
                from stdin
                """);
    Orders same = new Orders(0, 0);
    StringBuilder rows = new StringBuilder();
    // Oldest first, as they came to be.
    for (long place = orders - 1; place >= 0; place--) {
      StringBuilder body = new StringBuilder();
      same.whole(place, body);
      Instant modified = Orders.modified(place);
      rows.append("shop\torder\t").append(Orders.id(place)).append("\t0\t");
      rows.append(modified.getEpochSecond()).append('\t').append(modified.getNano());
      rows.append("\t0\tf\t").append(body).append("\t\\\\x");
      rows.append(CanonicalJson.hash(Json.parse(body.toString().getBytes(StandardCharsets.UTF_8))));
      rows.append("\tf\t").append(modified).append("\tlive\t").append(modified).append('\n');
      if (rows.length() > BUFFER || place == 0) {
        byte[] bytes = rows.toString().getBytes(StandardCharsets.UTF_8);
        copy.writeToCopy(bytes, 0, bytes.length);
        rows.setLength(0);
      }
    }
    copy.endCopy();
  }

  /** Brings what the run fixed back to what it was. */
  void restore(Database database, long run) {
    int restored =
        database
            .jdbi()
            .withHandle(
                handle ->
                    handle
                        .createUpdate(
                            """
                            update entity e set lane = 'live', body = jsonb_set(body, '{grand_total}',
                                to_jsonb(cast((split_part(body ->> 'customer_order_number', '/', 3)::bigint
                                    % 1050 + 15) || '.5900' as numeric)))
                            from disagreement d
                            where d.run_id = :run and d.entity_id = e.entity_id and e.source = 'shop'
                              and e.entity_type = 'order'
                            """)
                        .bind("run", run)
                        .execute());
    if (restored > 0) {
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        statement.execute("vacuum hooktally.entity");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Processor time of all processes of PostgreSQL so far, in milliseconds. */
  long cpuMillis() throws IOException {
    long ticks = 0;
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      for (Path process : processes.filter(Replicas::isProcess).toList()) {
        ticks += ticks(process);
      }
    }
    return ticks * 10;
  }

  private static boolean isProcess(Path path) {
    return path.getFileName().toString().matches("\\d+");
  }

  private long ticks(Path process) {
    try {
      String[] fields = fields(process);
      long own = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
      if (process.endsWith(String.valueOf(postmaster))) {
        return own + Long.parseLong(fields[13]) + Long.parseLong(fields[14]);
      }
      return Long.parseLong(fields[1]) == postmaster ? own : 0;
    } catch (IOException e) {
      // It has ended meanwhile.
      return 0;
    }
  }

  // Of /proc/pid/stat, behind the name in brackets: 1 is the parent, 11 and 12 its own time, 13 and
  // 14 that of its children that have ended.
  private static String[] fields(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(
        server.address().url(), server.address().user(), server.address().password().value());
  }

  @Override
  public void close() {
    server.close();
  }
}
