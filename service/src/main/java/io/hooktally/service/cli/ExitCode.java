package io.hooktally.service.cli;

import net.sourceforge.argparse4j.inf.ArgumentParserException;

/** What the commands end with. */
public final class ExitCode {
  /** All is well; for {@code reconcile}: source and replica agree. */
  public static final int OK = 0;

  /** It failed, was cancelled or stopped, or something else holds the lease. */
  public static final int FAILED = 1;

  /** The command line is wrong, or asks for what makes no sense, such as a window in the future. */
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
