package dev.cairn.runtime.engine.queue;

/**
 * The bits of the one word that a variable's queue is kept in: how many readers are in, whether others wait, whether a
 * writer is in, whether the variable is deleted, and a lock.
 *
 * <pre>
 *  63         27    26       25       24     23      0
 *  locks (37)    deleted  writing  waiting  readers (24)
 * </pre>
 *
 * <p>The lock is a count. A thread that adds one and finds none before has the lock. One that finds some has only
 * asked, and need not take that back, as the thread that lets go stores a word without any. So the word is never looked
 * at before it is changed: from another processor's cache it is fetched once, not once to look and once to change. The
 * count would come round only if 2<sup>37</sup> threads asked while one has the lock; each asks so once, and then waits
 * until it is let go.
 */
final class StateWord {
  static final long READER = 1;
  static final long READERS = (1L << 24) - 1;
  static final long WAITING = 1L << 24;
  static final long WRITING = 1L << 25;
  static final long DELETED = 1L << 26;
  static final long LOCK = 1L << 27;

  private static final int SPINS = 64;
  private static final long LOCKS = -LOCK;

  private StateWord() {}

  static boolean isLocked(long word) {
    return (word & LOCKS) != 0;
  }

  static long withoutLock(long word) {
    return word & ~LOCKS;
  }

  static boolean isDeleted(long word) {
    return (word & DELETED) != 0;
  }

  /** Whether an operation that comes now is in at once. Past as many readers as can be counted, the next one waits. */
  static boolean isFree(long word, boolean write) {
    return write
      ? (word & (WRITING | WAITING | READERS)) == 0
      : (word & (WRITING | WAITING)) == 0 && (word & READERS) != READERS;
  }

  /** The thread that has the lock may have lost the processor: after a while, give it ours. */
  @SuppressWarnings("ThreadPriorityCheck")
  static void pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }
}
