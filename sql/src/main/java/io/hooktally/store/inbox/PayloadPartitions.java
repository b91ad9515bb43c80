package io.hooktally.store.inbox;

import io.hooktally.store.Failure;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a partition of event_payload ready for every month to come, and drops those whose time is
 * over, by the database's clock.
 */
public final class PayloadPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(PayloadPartitions.class);

  private static final int MONTHS_AHEAD = 3;

  private final Jdbi jdbi;

  /** The partitions of a database. */
  public PayloadPartitions(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Makes the partitions of this month (UTC) and the three after it that are not there. Any number
   * of instances may do so at once. Never throws and never stands in the way of a delivery for more
   * than some seconds: what cannot be made now stays in the default partition and is made by a
   * later call.
   *
   * @return the months whose partition was made
   */
  public List<YearMonth> makeAhead() {
    List<YearMonth> made = new ArrayList<>();
    try {
      YearMonth current = jdbi.withHandle(PayloadPartitions::currentMonth);
      for (int ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
        YearMonth month = current.plusMonths(ahead);
        if (jdbi.inTransaction(handle -> make(handle, month))) {
          made.add(month);
        }
      }
    } catch (RuntimeException e) {
      LOG.warn(
          "Payload partitions not made ahead ({}). Payloads go to the default partition until a"
              + " later attempt succeeds.",
          Failure.describe(e));
    }
    if (!made.isEmpty()) {
      LOG.info("Payload partitions made: {}", made);
    }
    return made;
  }

  /**
   * Drops the partitions of months (UTC) that ended longer ago than {@code keep}, all but those
   * with an event that still waits, is held or parked: these are looked at again by a later call.
   * The ledger keeps the ids. Any number of instances may do so at once. Never throws, and never
   * stands in the way of a delivery for more than some seconds.
   *
   * @return the months whose partition was dropped
   */
  public List<YearMonth> dropOlderThan(Duration keep) {
    List<YearMonth> dropped = new ArrayList<>();
    try {
      YearMonth first = jdbi.withHandle(handle -> firstKept(handle, keep));
      for (YearMonth month : jdbi.withHandle(PayloadPartitions::months)) {
        if (month.isBefore(first) && jdbi.inTransaction(handle -> drop(handle, month))) {
          dropped.add(month);
        }
      }
    } catch (RuntimeException e) {
      LOG.warn(
          "Old payload partitions not dropped ({}). A later attempt will.", Failure.describe(e));
    }
    if (!dropped.isEmpty()) {
      LOG.info("Payload partitions dropped: {}", dropped);
    }
    return dropped;
  }

  private static YearMonth firstKept(Handle handle, Duration keep) {
    return YearMonth.from(now(handle).minus(keep));
  }

  private static List<YearMonth> months(Handle handle) {
    return handle
        .createQuery(
            """
            select right(c.relname, 7)
            from pg_inherits i join pg_class c on c.oid = i.inhrelid
            where i.inhparent = to_regclass('event_payload')
              and c.relname ~ '^event_payload_\\d{4}_\\d{2}$'
            order by 1
            """)
        .mapTo(String.class)
        .map(month -> YearMonth.parse(month.replace('_', '-')))
        .list();
  }

  private static boolean drop(Handle handle, YearMonth month) {
    String name = name(month);
    if (isInUse(handle, month)) {
      return false;
    }
    limitWaits(handle);
    if (!exists(handle, name)) {
      return false;
    }
    handle.execute("alter table event_payload detach partition " + name);
    // No inbox transaction is under way now, and none that begins can name what is not there.
    if (isInUse(handle, month)) {
      handle.rollback();
      return false;
    }
    handle.execute("drop table " + name);
    return true;
  }

  private static boolean isInUse(Handle handle, YearMonth month) {
    return handle
        .createQuery(
            """
            select exists (
              select from (select source, event_id from dispatch
                           union all
                           select source, event_id from parked) as waiting
              join processed_event e using (source, event_id)
              where e.first_received_at >= :from and e.first_received_at < :to)
            """)
        .bind("from", begin(month))
        .bind("to", begin(month.plusMonths(1)))
        .mapTo(Boolean.class)
        .one();
  }

  private static OffsetDateTime begin(YearMonth month) {
    return month.atDay(1).atStartOfDay().atOffset(ZoneOffset.UTC);
  }

  private static String name(YearMonth month) {
    return String.format(Locale.ROOT, "event_payload_%tY_%<tm", month);
  }

  private static void limitWaits(Handle handle) {
    handle.execute("set local lock_timeout = '2s'");
    handle.execute("set local statement_timeout = '10s'");
    handle.execute("select pg_advisory_xact_lock(hashtext('hooktally.event_payload'))");
  }

  private static YearMonth currentMonth(Handle handle) {
    return YearMonth.from(now(handle));
  }

  private static OffsetDateTime now(Handle handle) {
    return handle
        .createQuery("select clock_timestamp()")
        .mapTo(OffsetDateTime.class)
        .one()
        .withOffsetSameInstant(ZoneOffset.UTC);
  }

  // Attached, not created as a partition: that would lock the whole table against inserts, and
  // behind any long reader.
  private static boolean make(Handle handle, YearMonth month) {
    String name = name(month);
    if (exists(handle, name)) {
      return false;
    }
    limitWaits(handle);
    if (exists(handle, name)) {
      return false;
    }
    String from = "timestamptz '" + month.atDay(1) + " 00:00:00+00'";
    String to = "timestamptz '" + month.plusMonths(1).atDay(1) + " 00:00:00+00'";
    handle.execute("create table " + name + " (like event_payload including all)");
    handle.execute("lock table event_payload_default in access exclusive mode");
    handle.execute(
        """
        with moved as (
          delete from event_payload_default
          where received_at >= %s and received_at < %s
          returning *
        )
        insert into %s select * from moved
        """
            .formatted(from, to, name));
    handle.execute(
        "alter table event_payload attach partition %s for values from (%s) to (%s)"
            .formatted(name, from, to));
    return true;
  }

  private static boolean exists(Handle handle, String name) {
    return handle
        .createQuery("select to_regclass(:name) is not null")
        .bind("name", name)
        .mapTo(Boolean.class)
        .one();
  }
}
