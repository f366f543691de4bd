package dev.cairn.runtime.engine.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A {@link StateWord} at a place in the first half of an array, with the lock that it carries, and a count of writes at
 * the same place in the second half: only threads that run operations take its cache line from each other. Thread-safe.
 */
abstract class LockedWord {
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final int at;

  LockedWord(long[] words, int at) {
    this.words = words;
    this.at = at;
  }

  final long word() {
    return (long) WORD.getVolatile(words, at);
  }

  final long writes() {
    return (long) WORD.getVolatile(words, at + words.length / 2);
  }

  /** For the writer that is in, before it leaves. */
  final void addWrite() {
    WORD.setRelease(words, at + words.length / 2, writes() + 1);
  }

  /** Returns the word without the lock. */
  final long lock() {
    // No look goes before: so this thread asks for the cache line once, for itself alone.
    long seen = (long) WORD.getAndAdd(words, at, StateWord.LOCK);
    return StateWord.isLocked(seen) ? lockInTurn() : seen;
  }

  private long lockInTurn() {
    for (int spins = 0;; spins++) {
      long seen = word();
      if (!StateWord.isLocked(seen) && WORD.compareAndSet(words, at, seen, seen + StateWord.LOCK)) {
        return seen;
      }
      StateWord.pause(spins);
    }
  }

  /** For the thread that has the lock: gives it back with another word. */
  final void unlock(long to) {
    WORD.setRelease(words, at, to);
  }

  /** For the thread that has the lock: gives it back with the word as it was. */
  final void unlockUnchanged() {
    unlock(StateWord.withoutLock(word()));
  }
}
