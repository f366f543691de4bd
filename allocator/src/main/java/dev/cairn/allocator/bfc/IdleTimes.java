package dev.cairn.allocator.bfc;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.LongSupplier;

/**
 * Translates between the clock and the count of operations, by which the heap knows since when a region is idle: a look
 * at the clock for each free would cost more than the free. The caller holds the lock.
 */
final class IdleTimes {
  /** More operations than there will ever be. */
  static final long ANY = Long.MAX_VALUE;
  private static final int MOST = 1024;
  /** A moment may be as far from the next one as this part of its age; so few enough reach back for any time. */
  private static final int PARTS = 16;

  private record Moment(long nanos, long operations) {}

  private final LongSupplier nanoTime;
  private final ArrayDeque<Moment> moments = new ArrayDeque<>();

  /** @param nanoTime the clock, as {@link System#nanoTime} */
  IdleTimes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * How many operations there had been at the last moment known that is at least {@code age} ago, -1 where none is;
   * notes that there are {@code operations} now.
   */
  long before(Duration age, long operations) {
    return age.isZero() ? ANY : before(age.toNanos(), operations, nanoTime.getAsLong());
  }

  long before(long ageNanos, long operations, long nowNanos) {
    moments.addLast(new Moment(nowNanos, operations));
    if (moments.size() > MOST) {
      thin(nowNanos);
    }
    Iterator<Moment> newestFirst = moments.descendingIterator();
    while (newestFirst.hasNext()) {
      Moment moment = newestFirst.next();
      if (nowNanos - moment.nanos >= ageNanos) {
        return moment.operations;
      }
    }
    return -1;
  }

  /** The older, the sparser: forgetting the oldest would leave nothing old enough where one asks all the time. */
  private void thin(long nowNanos) {
    Moment[] all = moments.toArray(Moment[]::new);
    moments.clear();
    long keptNanos = all[0].nanos;
    for (int i = 0; i < all.length; i++) {
      boolean isEnd = i == 0 || i == all.length - 1;
      if (isEnd || all[i + 1].nanos - keptNanos > (nowNanos - all[i].nanos) / PARTS) {
        moments.addLast(all[i]);
        keptNanos = all[i].nanos;
      }
    }
    if (moments.size() > MOST) {
      moments.removeFirst();
    }
  }
}
