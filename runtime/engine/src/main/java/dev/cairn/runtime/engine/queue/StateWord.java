package dev.cairn.runtime.engine.queue;

/**
 * The bits of the one word that a variable's queue is kept in: how many readers are in, the lower part of the version,
 * whether others wait, whether a writer is in, whether the variable is deleted, and a lock.
 *
 * <pre>
 *  63         39   38       37       36      35     24   23      0
 *  locks (25)    deleted  writing  waiting  version (12)  readers (24)
 * </pre>
 *
 * <p>The lock is a count. A thread that adds one and finds none before has the lock. One that finds some has only
 * asked, and need not take that back, as the thread that lets go stores a word without any. So the word is never looked
 * at before it is changed: from another processor's cache it is fetched once, not once to look and once to change. The
 * count would come round only if 2<sup>25</sup> threads asked while one has the lock; each asks so once, and then waits
 * until it is let go.
 *
 * <p>The version's upper part lies elsewhere and changes with every 2,048th write. Its lowest bit is here, too, as the
 * version's highest, so that a thread that reads one after the other sees whether they belong together.
 */
final class StateWord {
  static final long READER = 1;
  static final long READERS = (1L << 24) - 1;
  static final long WAITING = 1L << 36;
  static final long WRITING = 1L << 37;
  static final long DELETED = 1L << 38;
  static final long LOCK = 1L << 39;

  private static final int SPINS = 64;
  private static final int VERSION_AT = 24;
  private static final long WRITE = 1L << VERSION_AT;
  private static final long VERSION = WAITING - WRITE;
  private static final int LOWER_BITS = 11;
  private static final long LOWER = (1L << LOWER_BITS) - 1;
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

  /** A write has ended; the lock is kept as it is. */
  static long afterWrite(long word) {
    return (word & ~(VERSION | WRITING)) | ((word + WRITE) & VERSION);
  }

  /** The word without operations that are in or wait; it keeps the version, and whether the variable is deleted. */
  static long emptied(long word) {
    return word & (VERSION | DELETED);
  }

  /** Whether the word, after a write, is the first that goes with the next upper part of the version. */
  static boolean startsUpper(long word) {
    return (word >>> VERSION_AT & LOWER) == 0;
  }

  static boolean goesWith(long word, long upper) {
    return (word >>> (VERSION_AT + LOWER_BITS) & 1) == (upper & 1);
  }

  static long version(long word, long upper) {
    return upper << LOWER_BITS | (word >>> VERSION_AT & LOWER);
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
