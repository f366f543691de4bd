package dev.cairn.runtime.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stands for something that operations read and write. Its queue lets readers that follow each other in together and
 * every writer alone, in the order pushed. Counts the writes that have ended. Any thread may ask.
 *
 * <p>How: the state, the first of its two words, holds how many operations are in (a count of readers, or a writer),
 * whether others wait, and a lock for the line of these. Coming to a free variable and leaving one that nobody waits
 * for is one compare-and-set; else the lock is held for a few instructions, and never while foreign code runs. Who is
 * in is not written down: only who waits is. Version, the second word, and poison belong to the writer that is in.
 */
public final class Variable extends WaitingLine {
  /** How many words of the array it has: its state and its version. */
  static final int WORDS = 2;
  private static final long LOCKED = 1L << 63;
  private static final long WRITING = 1L << 62;
  private static final long WAITING = 1L << 61;
  private static final long READERS = WAITING - 1;
  private static final int SPINS = 64;
  private static final AtomicLong MADE = new AtomicLong();
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final String name;
  private final Variables owner;
  private final long number = MADE.incrementAndGet();
  private final long[] words;
  private final int at;
  private volatile @Nullable Failure poison;
  private volatile boolean deleted;
  private volatile @Nullable VariableMarks marks;
  // Made by whoever asks first; should two ask, either's will do.
  private @Nullable Footprint asRead;
  private @Nullable Footprint asWritten;

  /** For its maker: at that place its two words begin. */
  Variable(String name, Variables owner, long[] words, int at) {
    this.name = name;
    this.owner = owner;
    this.words = words;
    this.at = at;
  }

  /** For people: what it stands for. */
  public String name() {
    return name;
  }

  /** How many operations that write this variable have ended, failed and skipped ones too; reading changes nothing. */
  public long version() {
    return (long) WORD.getVolatile(words, at + 1);
  }

  /** No two have the same; the order in which a push takes several. */
  long number() {
    return number;
  }

  /** That of an operation that touches nothing else. */
  Footprint footprint(boolean write) {
    Footprint there = write ? asWritten : asRead;
    return there != null ? there : makeFootprint(write);
  }

  private Footprint makeFootprint(boolean write) {
    var made = Footprint.single(this, write);
    if (write) {
      asWritten = made;
    } else {
      asRead = made;
    }
    return made;
  }

  /** Whether a write is in, or waits. */
  boolean hasWrite() {
    return (state() & (WRITING | WAITING)) != 0;
  }

  /** Why its value is not there; of a write that was given to a stream, known when that has ended. */
  @Nullable
  Failure poison() {
    Failure there = poison;
    if (there != null) {
      return there;
    }
    VariableMarks streams = marks;
    StreamOutcome outcome = streams == null ? null : streams.outcome();
    return outcome == null ? null : outcome.failure();
  }

  void setPoison(@Nullable Failure failure) {
    poison = failure;
  }

  /** How far streams are with it; null when none has had to do with it. */
  @Nullable
  VariableMarks marks() {
    return marks;
  }

  /** As {@link #marks}, made when they are not there yet. */
  VariableMarks ownMarks() {
    VariableMarks there = marks;
    return there != null ? there : makeMarks();
  }

  private synchronized VariableMarks makeMarks() {
    VariableMarks there = marks;
    if (there == null) {
      there = new VariableMarks();
      marks = there;
    }
    return there;
  }

  private long state() {
    return (long) WORD.getVolatile(words, at);
  }

  private boolean trySetState(long seen, long to) {
    return WORD.compareAndSet(words, at, seen, to);
  }

  private void unlock(long to) {
    WORD.setRelease(words, at, to);
  }

  /** Whether it was made there. */
  @SuppressWarnings("ReferenceEquality")
  boolean isOf(Variables maker) {
    return owner == maker;
  }

  boolean isDeleted() {
    return deleted;
  }

  /** @throws IllegalStateException when it was deleted before */
  synchronized void delete() {
    if (deleted) {
      throw new IllegalStateException("deleted twice: variable=" + this);
    }
    deleted = true;
  }

  void countWrite() {
    // Not read and then written, though only one writer is in: this asks for the line once, to have it alone.
    WORD.getAndAdd(words, at + 1, 1L);
  }

  /** Puts a block at the end of the queue; true when it is in at once. */
  boolean append(Block block, boolean write) {
    // Whether others wait is only a hint without the lock; it saves an attempt that must fail.
    if (isLineEmpty() && (write ? trySetState(0, WRITING) : tryRead())) {
      return true;
    }
    lockWithRoom(write);
    return appendAndUnlock(block, write);
  }

  /** As {@link #append}, by who has the lock. */
  boolean appendAndUnlock(Block block, boolean write) {
    long held = state() & ~LOCKED;
    if (isFree(held, write)) {
      unlock(write ? WRITING : held + 1);
      return true;
    }
    addToLine(block, write);
    unlock(held | WAITING);
    return false;
  }

  private boolean tryRead() {
    long seen = state();
    return isFree(seen, false) && trySetState(seen, seen + 1);
  }

  private static boolean isFree(long seen, boolean write) {
    return write ? seen == 0 : (seen & ~READERS) == 0;
  }

  /** A reader leaves; the last one lets the waiting writer in. Returns the ready blocks with those it made ready. */
  @Nullable
  Block endRead(@Nullable Block ready) {
    for (int spins = 0;; spins++) {
      long seen = state();
      if (seen < 0) {
        pause(spins);
      } else if ((seen & WAITING) == 0 || (seen & READERS) > 1) {
        if (trySetState(seen, seen - 1)) {
          return ready;
        }
      } else if (trySetState(seen, seen | LOCKED)) {
        return admitAndUnlock(ready);
      }
    }
  }

  /** The writer leaves; lets in the next writer, or the readers before it. */
  @Nullable
  Block endWrite(@Nullable Block ready) {
    // It has counted its write, so that the state is near: to look costs nothing.
    if (state() == WRITING && trySetState(WRITING, 0)) {
      return ready;
    }
    lockTaken();
    return (state() & WAITING) == 0 ? unlockEmpty(ready) : admitAndUnlock(ready);
  }

  private @Nullable Block unlockEmpty(@Nullable Block ready) {
    unlock(0);
    return ready;
  }

  private @Nullable Block admitAndUnlock(@Nullable Block ready) {
    long in = 0;
    Block last = ready;
    if (startsWithWrite()) {
      last = admit(last);
      in = WRITING;
    } else {
      do {
        last = admit(last);
        in++;
      } while (!isLineEmpty() && !startsWithWrite());
    }
    unlock(isLineEmpty() ? in : in | WAITING);
    return last;
  }

  private @Nullable Block admit(@Nullable Block last) {
    Block block = takeFromLine();
    return block.release() ? block.joinAfter(last) : last;
  }

  /** For {@link #appendAndUnlock}, of the same kind. What it throws, for want of memory, leaves all as it was. */
  void lock(boolean write) {
    // The state is not looked at first: mostly it is free, and who runs had it last.
    if (!isLineEmpty() || !trySetState(0, LOCKED)) {
      lockWithRoom(write);
    }
  }

  private void lockWithRoom(boolean write) {
    lockTaken();
    if (!isFree(state() & ~LOCKED, write)) {
      try {
        makeRoom();
      } catch (Throwable e) {
        unlockUnchanged();
        throw e;
      }
    }
  }

  /** For who has the lock, and gives up. */
  void unlockUnchanged() {
    unlock(state() & ~LOCKED);
  }

  private void lockTaken() {
    for (int spins = 0;; spins++) {
      long seen = state();
      if (seen >= 0 && trySetState(seen, seen | LOCKED)) {
        return;
      }
      pause(spins);
    }
  }

  /** Who has the lock may have lost the processor: after a while, give it ours. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  @Override
  public String toString() {
    return name + "@" + version();
  }
}
