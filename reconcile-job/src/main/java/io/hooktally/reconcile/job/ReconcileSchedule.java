package io.hooktally.reconcile.job;

import io.hooktally.reconcile.ReconcileException;
import java.time.Duration;
import java.util.Locale;
import java.util.TimeZone;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.quartz.CronScheduleBuilder;
import org.quartz.CronTrigger;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.DirectSchedulerFactory;
import org.quartz.impl.SchedulerRepository;
import org.quartz.impl.jdbcjobstore.InvalidConfigurationException;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.simpl.SimpleThreadPool;
import org.quartz.utils.DBConnectionManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the daily runs by Quartz: clustered over our database and our pool, one instance fires at
 * a time. Quartz only wakes us, every hour at the minute of the configured time, and once after a
 * start that missed one; whether a run is due {@link DailyRuns} judges by what has been run. So
 * days of 23 and 25 hours, which cron skips or repeats, are no special case. Not thread-safe: start
 * and stop from one thread.
 */
public final class ReconcileSchedule {
  private static final Logger log = LoggerFactory.getLogger(ReconcileSchedule.class);
  private static final String NAME = "hooktally";

  /** How soon an instance sees what another one, or a person, has scheduled. */
  private static final Duration IDLE = Duration.ofSeconds(10);

  private static final Duration RETRY_DATABASE = Duration.ofSeconds(15);
  private static final JobKey JOB = new JobKey("daily runs", NAME);
  private static final TriggerKey TRIGGER = new TriggerKey("hourly look", NAME);

  private final DataSource pool;
  private final DailyRuns runs;
  private final String instance;
  private @Nullable Scheduler scheduler;

  /**
   * A schedule, not started.
   *
   * @param pool our pool; Quartz takes one connection at a time, rarely two
   * @param instance this process; unique among running ones
   */
  public ReconcileSchedule(DataSource pool, DailyRuns runs, String instance) {
    this.pool = pool;
    this.runs = runs;
    this.instance = instance;
  }

  /**
   * Starts it.
   *
   * @throws ReconcileException when Quartz cannot start
   */
  public void start() {
    try {
      runs.begin();
      Scheduler started = create();
      scheduler = started;
      started.setJobFactory((bundle, ignored) -> new DailyRunsJob(runs));
      put(started);
      started.start();
    } catch (SchedulerException e) {
      throw new ReconcileException("the schedule cannot start: " + e.getMessage(), e);
    }
  }

  /** Stops it; a run at work is interrupted and recorded as failed. */
  public void stop() {
    Scheduler started = scheduler;
    scheduler = null;
    if (started == null) {
      return;
    }
    try {
      started.standby();
      for (JobExecutionContext context : started.getCurrentlyExecutingJobs()) {
        ((DailyRunsJob) context.getJobInstance()).interrupt();
      }
      started.shutdown(true);
    } catch (SchedulerException e) {
      log.warn("the schedule did not stop cleanly: {}", e.getMessage());
    }
  }

  private Scheduler create() throws SchedulerException {
    String name = NAME + "@" + instance;
    DBConnectionManager.getInstance().addConnectionProvider(name, new PoolConnections(pool));
    JobStoreTX store = new JobStoreTX();
    store.setDataSource(name);
    setDelegate(store);
    store.setTablePrefix("hooktally.qrtz_");
    store.setIsClustered(true);
    store.setClusterCheckinInterval(Duration.ofSeconds(10).toMillis());
    store.setMisfireThreshold(Duration.ofMinutes(1).toMillis());
    store.setUseProperties("true");
    SimpleThreadPool threads = new SimpleThreadPool(1, Thread.NORM_PRIORITY);
    threads.setThreadNamePrefix("daily runs");
    threads.setMakeThreadsDaemons(true);
    threads.initialize();
    DirectSchedulerFactory factory = DirectSchedulerFactory.getInstance();
    // All of a cluster have one name; Quartz' registry would allow only one of them in this JVM.
    synchronized (ReconcileSchedule.class) {
      factory.createScheduler(
          NAME, instance, threads, store, null, 0, IDLE.toMillis(), RETRY_DATABASE.toMillis());
      Scheduler created = factory.getScheduler(NAME);
      SchedulerRepository.getInstance().remove(NAME);
      return created;
    }
  }

  private static void setDelegate(JobStoreTX store) throws SchedulerException {
    try {
      store.setDriverDelegateClass(PostgreSQLDelegate.class.getName());
    } catch (InvalidConfigurationException e) {
      throw new SchedulerException("Quartz does not know its own delegate", e);
    }
  }

  // Replacing a trigger erases its misfire, so it is replaced only when it has to change.
  private void put(Scheduler scheduler) throws SchedulerException {
    JobDetail job = JobBuilder.newJob(DailyRunsJob.class).withIdentity(JOB).storeDurably().build();
    scheduler.addJob(job, true);
    CronTrigger wanted = trigger();
    Trigger there = scheduler.getTrigger(TRIGGER);
    if (there == null) {
      scheduler.scheduleJob(wanted);
    } else if (!(there instanceof CronTrigger cron)
        || !cron.getCronExpression().equals(wanted.getCronExpression())
        || !cron.getTimeZone().getID().equals(wanted.getTimeZone().getID())) {
      scheduler.rescheduleJob(TRIGGER, wanted);
    }
  }

  private CronTrigger trigger() {
    DailyTime time = runs.time();
    String everyHour =
        String.format(Locale.ROOT, "%d %d * * * ?", time.at().getSecond(), time.at().getMinute());
    return TriggerBuilder.newTrigger()
        .withIdentity(TRIGGER)
        .forJob(JOB)
        .withSchedule(
            CronScheduleBuilder.cronSchedule(everyHour)
                .inTimeZone(TimeZone.getTimeZone(time.zone()))
                .withMisfireHandlingInstructionFireAndProceed())
        .build();
  }
}
