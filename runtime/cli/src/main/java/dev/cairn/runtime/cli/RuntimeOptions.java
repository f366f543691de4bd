package dev.cairn.runtime.cli;

import dev.cairn.kernels.device.ProcessorWaits;
import dev.cairn.kernels.device.ThreadTimes;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the process was started with, and the clock of its commands: the only place that reads the environment and
 * system properties.
 *
 * @param terminal whether a person reads standard error as it comes
 * @param environment variables by name, for those who look for native libraries
 * @param clock nanoseconds, by which runs are timed, and which says when a duration is over; any thread reads it
 * @param threadTimes what the scheduler has counted of the calling thread and of the threads that share its work, from
 *        the thread's first call on
 */
record RuntimeOptions(boolean terminal, Map<String, String> environment, LongSupplier clock,
  Supplier<ThreadTimes> threadTimes) {
  private static final int LEAST_COLUMNS = 60;
  private static final int MOST_COLUMNS = 140;

  RuntimeOptions {
    environment = Map.copyOf(environment);
  }

  /** With the clock and the scheduler of the machine. */
  RuntimeOptions(boolean terminal, Map<String, String> environment) {
    this(terminal, environment, System::nanoTime, RuntimeOptions::countedTimes);
  }

  private static ThreadTimes countedTimes() {
    ProcessorWaits.OF_PROCESS.join();
    return ProcessorWaits.OF_PROCESS.total();
  }

  /** The width of the terminal, as the launcher gives it, within what can be read well; 80 if it is unknown. */
  int columns() {
    String columns = environment.getOrDefault("COLUMNS", "");
    return columns.matches("[1-9][0-9]{0,3}") ? Math.clamp(Integer.parseInt(columns), LEAST_COLUMNS, MOST_COLUMNS) : 80;
  }

  static RuntimeOptions ofProcess() {
    return new RuntimeOptions(Boolean.getBoolean("cairn.terminal"), System.getenv());
  }
}
