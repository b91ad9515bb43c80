package io.hooktally.service.cli;

import net.sourceforge.argparse4j.inf.ArgumentParserException;

/** What the commands end with. */
public final class ExitCode {
  /** All is well; for {@code reconcile}: source and replica agree. */
  public static final int OK = 0;

  /** It failed, or something else holds the lease. */
  public static final int FAILED = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** Disagreements were found. */
  public static final int DISAGREEMENTS = 3;

  private ExitCode() {}

  /** The code for what a command ended with. */
  public static int of(Throwable error) {
    if (error instanceof ExitException exit) {
      return exit.code();
    }
    return error instanceof ArgumentParserException ? USAGE : FAILED;
  }
}
