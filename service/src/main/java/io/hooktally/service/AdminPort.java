package io.hooktally.service;

import io.dropwizard.core.setup.Environment;
import io.hooktally.reconcile.report.HtmlReport;
import io.hooktally.reconcile.report.Reports;
import io.hooktally.service.admin.AdminGuard;
import io.hooktally.service.admin.RunTask;
import io.hooktally.service.api.DeliveriesResource;
import io.hooktally.service.api.EventsResource;
import io.hooktally.service.api.OpenResource;
import io.hooktally.service.api.ProblemMapper;
import io.hooktally.service.api.ProgressResource;
import io.hooktally.service.api.ReportsResource;
import io.hooktally.service.api.RunsResource;
import io.hooktally.store.run.RunReason;
import io.hooktally.store.run.Runs;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.concurrent.ExecutorService;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;

/** Opens to operators what they may ask and start: {@code /api} and {@code /tasks}. */
final class AdminPort {
  /** Runs of different sources and entity types; those of one exclude each other anyway. */
  private static final int RUNS_AT_ONCE = 4;

  private AdminPort() {}

  static void open(HooktallyConfiguration configuration, Environment environment, Pieces pieces) {
    environment
        .admin()
        .addFilter("admin-guard", new AdminGuard())
        .addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
    ExecutorService executor =
        environment
            .lifecycle()
            .executorService("run-%d")
            .minThreads(RUNS_AT_ONCE)
            .maxThreads(RUNS_AT_ONCE)
            .build();
    RunRequests requests =
        new RunRequests(configuration.sources(), configuration.reconcile().zone());
    environment
        .admin()
        .addServlet(
            "reconcile", new RunTask(RunReason.MANUAL, requests, pieces.reconciler(), executor))
        .addMapping("/tasks/reconcile");
    environment
        .admin()
        .addServlet(
            "backfill", new RunTask(RunReason.BACKFILL, requests, pieces.reconciler(), executor))
        .addMapping("/tasks/backfill");
    new OperatorTasks(pieces.actions(requests), executor)
        .all()
        .forEach(
            (name, task) ->
                environment.admin().addServlet(name, task).addMapping("/tasks/" + name));
    EventActions events = EventActions.of(configuration, pieces.storage().work());
    new EventTasks(events)
        .all()
        .forEach(
            (name, task) ->
                environment.admin().addServlet(name, task).addMapping("/tasks/" + name));
    ResourceConfig api =
        new ResourceConfig()
            .property(ServerProperties.WADL_FEATURE_DISABLE, true)
            .register(new RunsResource(new Runs(pieces.storage().work())))
            .register(new ReportsResource(new Reports(pieces.storage().work()), new HtmlReport()))
            .register(new OpenResource(pieces.storage().work()))
            .register(new DeliveriesResource(pieces.storage().work()))
            .register(new ProgressResource(new Runs(pieces.storage().work())))
            .register(new EventsResource(events))
            .register(new ProblemMapper());
    environment.admin().addServlet("api", new ServletContainer(api)).addMapping("/api/*");
  }
}
