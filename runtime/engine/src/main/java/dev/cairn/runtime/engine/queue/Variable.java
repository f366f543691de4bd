package dev.cairn.runtime.engine.queue;

import dev.cairn.runtime.engine.failure.FailureRecord;
import dev.cairn.runtime.engine.stream.StreamOutcome;
import dev.cairn.runtime.engine.stream.VariableMarks;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stands for something that operations read and write. Its queue lets readers that follow each other in together and
 * every writer alone, in the order pushed. Counts the writes that have ended. Any thread may ask.
 *
 * <p>How: its word, see {@link StateWord}, says how many operations are in (a count of readers, or a writer), whether
 * others wait; and it has a lock, held for a few instructions and never while foreign code runs. Coming and leaving are
 * one atomic addition, which takes the lock, and one store, which gives it back with the word as it is then. Operations
 * that are in are not written down, only those that wait. Poison belongs to the writer that is in.
 */
public final class Variable extends WaitingLine {
  private static final AtomicLong MADE = new AtomicLong();

  private final String name;
  private final Variables owner;
  private final long number = MADE.incrementAndGet();
  private volatile @Nullable FailureRecord poison;
  private volatile @Nullable VariableMarks marks;
  /** Whether {@link #delete} was called. From then on the line takes no new pushes. */
  private volatile boolean deleted;
  /** How many threads hold back pushes that touch it; guarded by the word's lock. */
  private int holders;
  // Made by the thread that asks first; if two ask at once, either's will do.
  private @Nullable Footprint asRead;
  private @Nullable Footprint asWritten;

  /** For its maker: at that place is its word. */
  Variable(String name, Variables owner, long[] words, int at) {
    super(words, at);
    this.name = name;
    this.owner = owner;
  }

  /** For people: what it stands for. */
  public String name() {
    return name;
  }

  /**
   * How many operations that write this variable have ended, failed and skipped ones too; reading changes nothing.
   * Exact for a thread that has waited for this very variable: an operation that writes several variables ends at one
   * after the other.
   */
  public long version() {
    return writes();
  }

  /** No two have the same; the order in which a push takes several. */
  long number() {
    return number;
  }

  /** The footprint of an operation that touches no other variable. */
  Footprint footprint(boolean write) {
    Footprint there = write ? asWritten : asRead;
    if (there != null) {
      return there;
    }
    var made = Footprint.of(this, write);
    if (write) {
      asWritten = made;
    } else {
      asRead = made;
    }
    return made;
  }

  /** Whether a write is in, or waits. */
  public boolean hasWrite() {
    return (word() & (StateWord.WRITING | StateWord.WAITING)) != 0;
  }

  /** Why its value is not there; of a write that was given to a stream, known when that has ended. */
  public @Nullable FailureRecord poison() {
    FailureRecord failure = poison;
    VariableMarks streams = marks;
    if (failure == null && streams != null) {
      StreamOutcome outcome = streams.outcome();
      failure = outcome == null ? null : outcome.failure();
    }
    return failure;
  }

  void setPoison(@Nullable FailureRecord failure) {
    poison = failure;
  }

  /** The marks of streams that read or write the variable; null if no stream ever did. */
  public @Nullable VariableMarks marks() {
    return marks;
  }

  /** Like {@link #marks}, made when they are not there yet. */
  synchronized VariableMarks ownMarks() {
    VariableMarks there = marks;
    if (there == null) {
      there = new VariableMarks();
      marks = there;
    }
    return there;
  }

  /** Whether it was made there. */
  @SuppressWarnings("ReferenceEquality")
  boolean isOf(Variables maker) {
    return owner == maker;
  }

  /** One write more has ended. For a thread that runs alone. */
  void countWrite() {
    long held = lock();
    addWrite();
    unlock(held);
  }

  /** Puts a block at the end of the queue; true when it is in at once. What it throws leaves all as it was. */
  boolean append(OperationBlock block, boolean write) {
    return appendAndUnlock(lockWithRoom(block, write), block, write);
  }

  /** Lets the delete in where no operation is in or waits, and no stream may use the variable; whether it is. */
  public boolean tryEnterLast() {
    long held = lock();
    // A thread that gives it to a stream notes that before it leaves, so that it is seen here.
    boolean free = StateWord.isFree(held, true) && marks == null;
    unlock(free ? held + StateWord.WRITING : held);
    return free;
  }

  /** Like {@link #append}, for the thread that has the lock, of {@link #lockWithRoom}. */
  boolean appendAndUnlock(OperationBlock block, boolean write) {
    return appendAndUnlock(StateWord.withoutLock(word()), block, write);
  }

  private boolean appendAndUnlock(long held, OperationBlock block, boolean write) {
    if (StateWord.isFree(held, write)) {
      unlock(held + (write ? StateWord.WRITING : StateWord.READER));
      return true;
    }
    addToLine(block, write);
    unlock(held | StateWord.WAITING);
    return false;
  }

  /** A reader leaves; the last one lets the waiting writer in. Returns the ready blocks with those it made ready. */
  @Nullable
  OperationBlock endRead(@Nullable OperationBlock ready) {
    long held = lock() - StateWord.READER;
    if ((held & StateWord.READERS) == 0) {
      return leaveEmpty(held, ready);
    }
    unlock(held);
    return ready;
  }

  /** The writer leaves; lets in the next writer, or the readers before it. */
  public @Nullable OperationBlock endWrite(@Nullable OperationBlock ready) {
    long held = lock() - StateWord.WRITING;
    addWrite();
    return leaveEmpty(held, ready);
  }

  private @Nullable OperationBlock leaveEmpty(long held, @Nullable OperationBlock ready) {
    if ((held & StateWord.WAITING) == 0) {
      unlock(held);
      return ready;
    }
    return admitAndUnlock(held & StateWord.DELETED, ready);
  }

  private @Nullable OperationBlock admitAndUnlock(long empty, @Nullable OperationBlock ready) {
    long in = empty;
    OperationBlock last = ready;
    if (startsWithWrite()) {
      last = admit(last);
      in |= StateWord.WRITING;
    } else {
      do {
        last = admit(last);
        in += StateWord.READER;
      } while (!isLineEmpty() && !startsWithWrite() && StateWord.isFree(in, false));
    }
    unlock(isLineEmpty() ? in : in | StateWord.WAITING);
    return last;
  }

  private @Nullable OperationBlock admit(@Nullable OperationBlock last) {
    OperationBlock block = takeFromLine();
    return block.release() ? block.joinAfter(last) : last;
  }

  /**
   * For {@link #appendAndUnlock}, of the same kind. Returns the word without the lock. What it throws leaves all as it
   * was.
   *
   * @throws IllegalStateException when the variable is deleted, and the block must come before that
   * @throws OutOfMemoryError when the heap has no room for a place in the line
   */
  long lockWithRoom(OperationBlock block, boolean write) {
    long held = lock();
    if (StateWord.isDeleted(held) && !block.mayFollowDelete()) {
      unlock(held);
      throw refusal(block.operation().name());
    }
    if (!StateWord.isFree(held, write)) {
      try {
        makeRoom();
      } catch (Throwable e) {
        unlock(held);
        throw e;
      }
    }
    return held;
  }

  /** Whether it takes no new pushes any more. */
  public boolean isDeleted() {
    return deleted;
  }

  /**
   * From now on it takes only the delete, and pushes that threads hold back already.
   *
   * @return whether no thread holds any back; if one does, the last {@link #endHold} returns true
   * @throws IllegalStateException when it was deleted before
   */
  public boolean delete() {
    long held = lock();
    if (deleted) {
      unlock(held);
      throw new IllegalStateException("deleted twice: variable=" + this);
    }
    deleted = true;
    boolean isLast = holders == 0;
    unlock(isLast ? held | StateWord.DELETED : held);
    return isLast;
  }

  /**
   * A thread holds back pushes that touch the variable. The delete comes after them.
   *
   * @param operation the name of the first one
   * @throws IllegalStateException when it is deleted
   */
  void beginHold(String operation) {
    long held = lock();
    boolean refused = deleted;
    holders += refused ? 0 : 1;
    unlock(held);
    if (refused) {
      throw refusal(operation);
    }
  }

  /** The thread has pushed them or given them up. Returns whether a delete has waited for that and may follow now. */
  boolean endHold() {
    long held = lock();
    holders--;
    boolean isLast = deleted && holders == 0;
    unlock(isLast ? held | StateWord.DELETED : held);
    return isLast;
  }

  /** For a push that comes after the delete. */
  public IllegalStateException refusal(String operation) {
    return new IllegalStateException("a deleted variable: operation=%s variable=%s".formatted(operation, this));
  }

  @Override
  public String toString() {
    return name + "@" + version();
  }
}
