package io.hooktally.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process of its own that runs {@link ChildProgram}; killed at the latest by close(). */
final class Child implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private Child(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static Child start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ChildProgram.class.getName());
    command.addAll(List.of(arguments));
    return new Child(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  long pid() {
    return process.pid();
  }

  /** What it opened. */
  record Opened(boolean owner, int port) {}

  /** Waits until it has opened its database. */
  Opened opened() throws IOException {
    String line = output.readLine();
    if (line == null || !line.startsWith("opened ")) {
      throw new IOException("it said: " + line);
    }
    String[] words = line.split(" ", -1);
    return new Opened(Boolean.parseBoolean(words[1]), Integer.parseInt(words[2]));
  }

  /** kill -9, and waits until it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGTERM, and waits until it is gone. */
  void terminate() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  /** Lets it close its database and end. */
  void finish() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      throw new IOException("it does not end");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
