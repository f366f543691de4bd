package dev.cairn.runtime.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stands for something that operations read and write. Its queue lets readers that follow each other in together and
 * every writer alone, in the order pushed. Counts the writes that have ended. Any thread may ask.
 *
 * <p>How: {@code state} holds how many operations are in (a count of readers, or a writer), whether others wait, and a
 * lock for the line of these. Coming to a free variable and leaving one that nobody waits for is one compare-and-set;
 * else the lock is held for a few instructions, and never while foreign code runs. Who is in is not written down: only
 * who waits is. Version and poison belong to the writer that is in.
 */
public final class Variable {
  private static final int LOCKED = 1 << 31;
  private static final int WRITING = 1 << 30;
  private static final int WAITING = 1 << 29;
  private static final int READERS = WAITING - 1;
  private static final int SPINS = 64;
  private static final AtomicLong MADE = new AtomicLong();
  private static final VarHandle STATE;
  private static final VarHandle VERSION;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Variable.class, "state", int.class);
      VERSION = MethodHandles.lookup().findVarHandle(Variable.class, "version", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String name;
  private final long number = MADE.incrementAndGet();
  private volatile int state;
  private volatile long version;
  private volatile @Nullable Failure poison;
  private volatile boolean deleted;
  private @Nullable WaitingLine line;
  private volatile @Nullable VariableMarks marks;
  // Made by whoever asks first; should two ask, either's will do.
  private @Nullable Footprint asRead;
  private @Nullable Footprint asWritten;

  Variable(String name) {
    this.name = name;
  }

  /** For people: what it stands for. */
  public String name() {
    return name;
  }

  /** How many operations that write this variable have ended, failed and skipped ones too; reading changes nothing. */
  public long version() {
    return version;
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
    var made = new Footprint(new Variable[] {this}, new boolean[] {write});
    if (write) {
      asWritten = made;
    } else {
      asRead = made;
    }
    return made;
  }

  /** Whether a write is in, or waits. */
  boolean hasWrite() {
    return (state & (WRITING | WAITING)) != 0;
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
    VERSION.setRelease(this, version + 1);
  }

  /** Puts a block at the end of the queue; true when it is in at once. */
  boolean append(Block block, boolean write) {
    int seen = state;
    if (isFree(seen, write) && STATE.compareAndSet(this, seen, write ? WRITING : seen + 1)) {
      return true;
    }
    lock();
    return appendAndUnlock(block, write);
  }

  /** As {@link #append}, by who has the lock. */
  boolean appendAndUnlock(Block block, boolean write) {
    int held = state & ~LOCKED;
    if (isFree(held, write)) {
      STATE.setRelease(this, write ? WRITING : held + 1);
      return true;
    }
    if (line == null) {
      line = new WaitingLine();
    }
    line.add(block, write);
    STATE.setRelease(this, held | WAITING);
    return false;
  }

  private static boolean isFree(int seen, boolean write) {
    return write ? seen == 0 : (seen & ~READERS) == 0;
  }

  /** A reader leaves; the last one lets the waiting writer in. Returns the ready blocks with those it made ready. */
  @Nullable
  Block endRead(@Nullable Block ready) {
    for (int spins = 0;; spins++) {
      int seen = state;
      if (seen < 0) {
        pause(spins);
      } else if ((seen & WAITING) == 0 || (seen & READERS) > 1) {
        if (STATE.compareAndSet(this, seen, seen - 1)) {
          return ready;
        }
      } else if (STATE.compareAndSet(this, seen, seen | LOCKED)) {
        return admitAndUnlock(ready);
      }
    }
  }

  /** The writer leaves; lets in the next writer, or the readers before it. */
  @Nullable
  Block endWrite(@Nullable Block ready) {
    if (STATE.compareAndSet(this, WRITING, 0)) {
      return ready;
    }
    lock();
    return (state & WAITING) == 0 ? unlockEmpty(ready) : admitAndUnlock(ready);
  }

  private @Nullable Block unlockEmpty(@Nullable Block ready) {
    STATE.setRelease(this, 0);
    return ready;
  }

  private @Nullable Block admitAndUnlock(@Nullable Block ready) {
    WaitingLine waiting = line;
    if (waiting == null) {
      throw new AssertionError("nobody waits: variable=" + this);
    }
    int in = 0;
    Block last = ready;
    if (waiting.startsWithWrite()) {
      last = admit(waiting, last);
      in = WRITING;
    } else {
      do {
        last = admit(waiting, last);
        in++;
      } while (!waiting.isEmpty() && !waiting.startsWithWrite());
    }
    STATE.setRelease(this, waiting.isEmpty() ? in : in | WAITING);
    return last;
  }

  private static @Nullable Block admit(WaitingLine waiting, @Nullable Block last) {
    Block block = waiting.take();
    return block.release() ? block.joinAfter(last) : last;
  }

  void lock() {
    int seen = state;
    if (seen < 0 || !STATE.compareAndSet(this, seen, seen | LOCKED)) {
      lockContended();
    }
  }

  private void lockContended() {
    for (int spins = 0;; spins++) {
      int seen = state;
      if (seen >= 0 && STATE.compareAndSet(this, seen, seen | LOCKED)) {
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
    return name + "@" + version;
  }
}
