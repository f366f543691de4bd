package dev.cairn.runtime;

import dev.cairn.runtime.executor.RunLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * How one run behaves.
 *
 * @param cancellation what may stop it
 * @param deadline how long it may take from the call on, waiting included; positive. A step that has begun is not
 *   interrupted, nor is the planning of shapes that were not run before; a run whose last step has begun has its result
 * @param onDevice names of outputs that stay in a GPU's memory, until the host asks for them; {@link #EVERY_OUTPUT} for
 *   all. The processor's results are in the host's memory whatever is said here
 */
public record RunOptions(Optional<Cancellation> cancellation, Optional<Duration> deadline, Set<String> onDevice) {
  /** In place of names. */
  public static final String EVERY_OUTPUT = "*";
  /** Runs to its end. */
  public static final RunOptions DEFAULT = new RunOptions(Optional.empty(), Optional.empty(), Set.of());

  public RunOptions {
    onDevice = Set.copyOf(onDevice);
    deadline.filter(it -> !it.isPositive()).ifPresent(it -> {
      throw new IllegalArgumentException("a deadline must be positive: deadline=" + it);
    });
  }

  public RunOptions withCancellation(Cancellation by) {
    return new RunOptions(Optional.of(by), deadline, onDevice);
  }

  public RunOptions withDeadline(Duration after) {
    return new RunOptions(cancellation, Optional.of(after), onDevice);
  }

  /**
   * The same with outputs that stay on the device: as inputs of a later run they cost no copy to the host and back.
   *
   * @param outputs their names; none for all
   */
  public RunOptions withResultsOnDevice(String... outputs) {
    return new RunOptions(cancellation, deadline, outputs.length == 0 ? Set.of(EVERY_OUTPUT) : Set.of(outputs));
  }

  boolean staysOnDevice(String output) {
    return onDevice.contains(output) || onDevice.contains(EVERY_OUTPUT);
  }

  /** The limit of a run that begins now, and may be stopped by this as well. */
  RunLimit limitFromNow(Cancellation other) {
    BooleanSupplier isCancelled = cancellation.<BooleanSupplier>map(it -> () -> it.isCancelled() || other.isCancelled())
      .orElse(other::isCancelled);
    return RunLimit.from(isCancelled, deadline.map(RunOptions::nanos).orElse(Long.MAX_VALUE));
  }

  /** The limit of a run that begins now. */
  RunLimit limitFromNow() {
    if (cancellation.isEmpty() && deadline.isEmpty()) {
      return RunLimit.NONE;
    }
    Cancellation by = cancellation.orElseGet(Cancellation::new);
    return RunLimit.from(by::isCancelled, deadline.map(RunOptions::nanos).orElse(Long.MAX_VALUE));
  }

  /** Some 292 years are as good as for ever. */
  private static long nanos(Duration duration) {
    return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? duration.toNanos() : Long.MAX_VALUE;
  }
}
