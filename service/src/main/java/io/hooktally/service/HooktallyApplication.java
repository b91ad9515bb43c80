package io.hooktally.service;

import io.dropwizard.core.Application;
import io.dropwizard.core.setup.Environment;

/** The service and its commands. The only place where the pieces are put together. */
public final class HooktallyApplication extends Application<HooktallyConfiguration> {

  /** Runs the command that {@code arguments} name, such as {@code server config.yml}. */
  public static void main(String[] arguments) throws Exception {
    new HooktallyApplication().run(arguments);
  }

  @Override
  public String getName() {
    return "hooktally";
  }

  @Override
  public void run(HooktallyConfiguration configuration, Environment environment) {}
}
