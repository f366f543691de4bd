package dev.cairn.kernels.device;

import dev.cairn.testing.ManualClock;
import java.time.Duration;
import java.util.Optional;

/** {@link ProcessorWaits} whose clock and counts a test sets: all threads that join share one count. */
public final class WaitsByHand {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ManualClock clock = new ManualClock();
  private final ProcessorWaits waits = new ProcessorWaits(clock, () -> Optional.of(new Count()));
  private ThreadTimes times = ThreadTimes.NONE;
  private int counted;

  private final class Count implements ProcessorWaits.Counter {
    Count() {
      counted++;
    }

    @Override
    public Optional<ThreadTimes> read() {
      return Optional.of(times);
    }

    @Override
    public void close() {}
  }

  public ProcessorWaits waits() {
    return waits;
  }

  /** How many threads have joined. */
  public int counted() {
    return counted;
  }

  /** Lets time pass, in which threads ran and waited so long and got a processor so often. */
  public void passMillis(long passed, long ran, long waited, long turns) {
    clock.advance(Duration.ofMillis(passed));
    times = times.plus(new ThreadTimes(ran * NANOS_PER_MILLI, waited * NANOS_PER_MILLI, turns));
  }
}
