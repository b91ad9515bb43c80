package io.hooktally.reconcile.kill;

import io.hooktally.store.DatabaseAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of its own that runs {@link RunProgram}; killed at the latest by close(). */
final class RunChild implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private RunChild(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static RunChild start(DatabaseAddress address, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(RunProgram.class.getName());
    command.addAll(List.of(address.url(), address.user(), address.password().value()));
    command.addAll(List.of(arguments));
    return new RunChild(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Waits until it could begin. */
  RunChild ready() throws IOException {
    if (!said().equals("ready")) {
      throw new IOException("it is not ready");
    }
    return this;
  }

  void go() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  /** How its run ended; waits for it. */
  String outcome() throws IOException {
    return said();
  }

  // Its log may come by the same way.
  private String said() throws IOException {
    while (true) {
      String line = output.readLine();
      if (line == null) {
        return "nothing";
      } else if (line.startsWith(RunProgram.SAYS)) {
        return line.substring(RunProgram.SAYS.length());
      }
    }
  }

  /** kill -9, and waits until it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGSTOP, SIGCONT. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).inheritIO().start();
    if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new IOException("no " + name);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
