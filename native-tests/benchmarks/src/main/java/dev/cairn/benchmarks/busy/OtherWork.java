package dev.cairn.benchmarks.busy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Processes that want all processors all the time, until this is closed. */
final class OtherWork implements AutoCloseable {
  private static final String PROGRAM = "yes";

  private final List<Process> processes = new ArrayList<>();

  /** Starts so many. They end with this JVM. */
  OtherWork(int count) {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    try {
      for (int i = 0; i < count; i++) {
        start();
      }
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void start() throws IOException {
    processes.add(new ProcessBuilder(PROGRAM).redirectOutput(ProcessBuilder.Redirect.DISCARD).start());
  }

  @Override
  public synchronized void close() {
    processes.forEach(it -> it.destroyForcibly().onExit().join());
    processes.clear();
  }
}
