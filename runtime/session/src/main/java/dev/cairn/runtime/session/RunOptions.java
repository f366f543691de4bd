package dev.cairn.runtime.session;

import dev.cairn.runtime.executor.RunLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Options of one run.
 *
 * @param cancellation stops the run before its next step when cancelled
 * @param deadline the longest time from the call to the last step, including waiting; positive. It interrupts neither a
 *   step nor the planning of new shapes. A run whose last step has begun returns its result
 * @param onDevice names of outputs that stay in GPU memory until the host reads them; {@link #EVERY_OUTPUT} for all.
 *   Has no effect on the processor
 * @param maxIterations the most trips of each loop of the model, at least 1; a loop that goes on stops the run
 */
public record RunOptions(Optional<Cancellation> cancellation, Optional<Duration> deadline, Set<String> onDevice,
  long maxIterations) {
  /** Stands for the names of all outputs. */
  public static final String EVERY_OUTPUT = "*";
  /** No cancellation, no deadline, at most 2³¹-1 trips; all outputs go to the host. */
  public static final RunOptions DEFAULT = new RunOptions(Optional.empty(), Optional.empty(), Set.of(),
    RunLimit.MOST_TRIPS);

  public RunOptions {
    onDevice = Set.copyOf(onDevice);
    deadline.filter(it -> !it.isPositive()).ifPresent(it -> {
      throw new IllegalArgumentException("a deadline must be positive: deadline=" + it);
    });
    if (maxIterations < 1) {
      throw new IllegalArgumentException("at least one iteration: maxIterations=" + maxIterations);
    }
  }

  public RunOptions withCancellation(Cancellation by) {
    return new RunOptions(Optional.of(by), deadline, onDevice, maxIterations);
  }

  public RunOptions withDeadline(Duration after) {
    return new RunOptions(cancellation, Optional.of(after), onDevice, maxIterations);
  }

  /**
   * These options with outputs that stay on the device. As inputs of a later run they need no copy to the host and
   * back.
   *
   * @param outputs names of outputs; no names mean all outputs
   */
  public RunOptions withResultsOnDevice(String... outputs) {
    return new RunOptions(cancellation, deadline, outputs.length == 0 ? Set.of(EVERY_OUTPUT) : Set.of(outputs),
      maxIterations);
  }

  /** These options with another limit of trips, for models with loops that might not end. */
  public RunOptions withMaxIterations(long most) {
    return new RunOptions(cancellation, deadline, onDevice, most);
  }

  boolean staysOnDevice(String output) {
    return onDevice.contains(output) || onDevice.contains(EVERY_OUTPUT);
  }

  /** The limit of a run that begins now, by the clock, and that {@code other} may also cancel. */
  RunLimit limitFromNow(Cancellation other, LongSupplier clock) {
    BooleanSupplier isCancelled = cancellation.<BooleanSupplier>map(it -> () -> it.isCancelled() || other.isCancelled())
      .orElse(other::isCancelled);
    return RunLimit.from(isCancelled, deadline.map(RunOptions::nanos).orElse(Long.MAX_VALUE), maxIterations, clock);
  }

  /** The limit of a run that begins now, by the clock. */
  RunLimit limitFromNow(LongSupplier clock) {
    if (cancellation.isEmpty() && deadline.isEmpty() && maxIterations == RunLimit.MOST_TRIPS) {
      return RunLimit.NONE;
    }
    Cancellation by = cancellation.orElseGet(Cancellation::new);
    return RunLimit.from(by::isCancelled, deadline.map(RunOptions::nanos).orElse(Long.MAX_VALUE), maxIterations, clock);
  }

  /** Longer durations saturate at 292 years. */
  private static long nanos(Duration duration) {
    return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? duration.toNanos() : Long.MAX_VALUE;
  }
}
