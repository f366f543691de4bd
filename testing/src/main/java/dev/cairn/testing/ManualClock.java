package dev.cairn.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock in nanoseconds, like {@link System#nanoTime}. It moves only when a test moves it. Any thread may use it. */
public final class ManualClock implements LongSupplier {
  private final AtomicLong nanos = new AtomicLong();

  @Override
  public long getAsLong() {
    return nanos.get();
  }

  /** Moves the clock forward. */
  public void advance(Duration duration) {
    nanos.addAndGet(duration.toNanos());
  }
}
