package io.hooktally.service.cli;

import io.dropwizard.configuration.ConfigurationException;
import io.hooktally.reconcile.ReconcileException;
import io.hooktally.service.HooktallyException;
import io.hooktally.store.StoreException;
import java.io.PrintWriter;
import java.net.BindException;
import java.util.Optional;

/** Tells on stderr why a command failed: one clear message, a stack trace only for our own bugs. */
final class ErrorText {
  private ErrorText() {}

  static void print(Throwable error, PrintWriter err) {
    if (error instanceof ExitException) {
      return;
    }
    Optional<String> message = forTheUser(error);
    if (message.isPresent()) {
      err.println(message.get().strip());
    } else {
      err.println("Hooktally failed in a way it does not know:");
      error.printStackTrace(err);
    }
    err.flush();
  }

  private static Optional<String> forTheUser(Throwable error) {
    for (Throwable at = error; at != null; at = at.getCause()) {
      if (at instanceof BindException) {
        return Optional.of(
            "A port is in use already, or its address is not of this machine ("
                + error.getMessage()
                + "). Stop the other program, or change the ports under server: in config.yml.");
      }
      if (at instanceof HooktallyException
          || at instanceof StoreException
          || at instanceof ReconcileException
          || at instanceof ConfigurationException) {
        return Optional.ofNullable(at.getMessage());
      }
    }
    return Optional.empty();
  }
}
