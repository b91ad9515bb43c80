package io.hooktally.reconcile.kill;

import io.hooktally.reconcile.LeaseHeldException;
import io.hooktally.reconcile.ReconcileSettings;
import io.hooktally.reconcile.Reconciler;
import io.hooktally.reconcile.RunRefusedException;
import io.hooktally.reconcile.RunRequest;
import io.hooktally.reconcile.SourceAccess;
import io.hooktally.reconcile.report.RunReport;
import io.hooktally.reconcile.source.SourceClient;
import io.hooktally.reconcile.source.SourceConfig;
import io.hooktally.reconcile.testing.FakeSource;
import io.hooktally.store.Database;
import io.hooktally.store.DatabaseAddress;
import io.hooktally.store.LeaseLostException;
import io.hooktally.store.PoolOptions;
import io.hooktally.store.Secret;
import io.hooktally.store.run.RunMode;
import io.hooktally.store.testing.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * A process that does one scheduled run and says how it ended: {@code <url> <user> <password>
 * <source> <now> <lease> <idle> <day>}. It says {@code ready} first, and begins at the first byte
 * it gets.
 */
final class RunProgram {
  static final String SAYS = "run program: ";

  private RunProgram() {}

  public static void main(String[] arguments) throws IOException {
    DatabaseAddress address =
        new DatabaseAddress(arguments[0], arguments[1], new Secret(arguments[2]));
    InstantSource clock = InstantSource.fixed(Instant.parse(arguments[4]));
    Duration lease = Duration.parse(arguments[5]);
    PoolOptions pool =
        PoolOptions.work("child", 4)
            .withZone(TestDatabase.ZONE)
            .withIdleInTransaction(Duration.parse(arguments[6]));
    LocalDate day = LocalDate.parse(arguments[7]);
    SourceConfig config = FakeSource.configAt(arguments[3], RunKillIT.ENTITY);
    try (Database database = Database.open(address, pool);
        SourceClient client = new SourceClient(config, clock)) {
      Reconciler reconciler =
          new Reconciler(
              database.jdbi(),
              List.of(new SourceAccess(config, client)),
              new ReconcileSettings(ZoneOffset.UTC, Duration.ofDays(2), lease, Duration.ofDays(7)),
              "child " + ProcessHandle.current().pid(),
              length -> {});
      System.out.println(SAYS + "ready");
      if (System.in.read() >= 0) {
        System.out.println(SAYS + run(reconciler, day));
      }
    }
  }

  private static String run(Reconciler reconciler, LocalDate day) {
    try {
      RunReport report = reconciler.run(RunRequest.scheduled("shop", "order", RunMode.FIX, day));
      return report.state().text() + " " + report.id();
    } catch (LeaseHeldException e) {
      return "held";
    } catch (LeaseLostException e) {
      return "lost";
    } catch (RunRefusedException e) {
      return "refused";
    } catch (RuntimeException e) {
      return "threw " + e;
    }
  }
}
