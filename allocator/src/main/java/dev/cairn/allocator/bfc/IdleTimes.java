package dev.cairn.allocator.bfc;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Translates between the clock and the count of operations, by which the heap knows since when a region is idle: a look
 * at the clock for each free would cost more than the free. The caller holds the lock.
 */
final class IdleTimes {
  /** The operation that all have come before. */
  static final long ANY = Long.MAX_VALUE;
  private static final int MOST = 1024;

  private record Moment(long nanos, long operation) {}

  private final ArrayDeque<Moment> moments = new ArrayDeque<>();

  /** The last operation that is known to be at least {@code age} ago; notes that {@code operation} is now. */
  long before(Duration age, long operation) {
    return age.isZero() ? ANY : before(age.toNanos(), operation, System.nanoTime());
  }

  long before(long ageNanos, long operation, long nowNanos) {
    moments.addLast(new Moment(nowNanos, operation));
    if (moments.size() > MOST) {
      moments.removeFirst();
    }
    Iterator<Moment> newestFirst = moments.descendingIterator();
    while (newestFirst.hasNext()) {
      Moment moment = newestFirst.next();
      if (nowNanos - moment.nanos >= ageNanos) {
        return moment.operation;
      }
    }
    return -1;
  }
}
