package dev.cairn.runtime.engine.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that may run, for one group of workers. Deletes come first. Of the others, the one pushed first comes first,
 * whenever it got ready, so that memory follows execution: what an operation releases is free before operations run
 * that were pushed later. A group of prioritised work looks at the priority before that. Thread-safe.
 *
 * <p>Threads that offer put blocks on a stack, with one exchange each. A thread that takes has the turn, sorts what is
 * on the stack into lists and a heap, and takes the first. Blocks mostly come in the order of their pushes and go to a
 * list; those that got ready late go to a skew heap (Sleator and Tarjan 1986). The blocks themselves are the links, so
 * that nothing here asks for memory.
 */
public class ReadyQueue {
  private static final VarHandle OFFERED;
  private static final VarHandle TURN;
  private static final VarHandle SORTED;

  static {
    try {
      OFFERED = MethodHandles.lookup().findVarHandle(ReadyQueue.class, "offered", OperationBlock.class);
      TURN = MethodHandles.lookup().findVarHandle(ReadyQueue.class, "turn", int.class);
      SORTED = MethodHandles.lookup().findVarHandle(ReadyQueue.class, "sorted", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final boolean byPriority;
  private final boolean oneTaker;
  /** The block offered last, which links to the one before it. */
  private volatile @Nullable OperationBlock offered;
  @SuppressWarnings("UnusedVariable") // through its handle
  private volatile int turn;
  /** How many blocks are in the lists and the heap; at least one while some are on the way there. */
  private volatile int sorted;
  // The rest is for the thread that has the turn.
  private int count;
  private @Nullable OperationBlock firstDelete;
  private @Nullable OperationBlock lastDelete;
  private @Nullable OperationBlock first;
  private @Nullable OperationBlock last;
  private @Nullable OperationBlock heap;

  protected ReadyQueue(boolean byPriority, boolean oneTaker) {
    this.byPriority = byPriority;
    this.oneTaker = oneTaker;
  }

  /**
   * In the order of pushes.
   *
   * @param oneTaker whether no two threads take at the same time; the caller sees to that
   */
  public static ReadyQueue inOrder(boolean oneTaker) {
    return new ReadyQueue(false, oneTaker);
  }

  /** The highest priority first, and in the order of pushes among equals. */
  public static ReadyQueue byPriority() {
    return new ReadyQueue(true, false);
  }

  /** Where it throws, the block is not in the queue. */
  public void offer(OperationBlock block) {
    OperationBlock before;
    do {
      before = offered;
      block.linkTo(before);
    } while (!OFFERED.weakCompareAndSet(this, before, block));
  }

  /** Null when there is none. */
  public @Nullable OperationBlock poll() {
    return isEmpty() ? null : take(null);
  }

  /** Like {@link #poll}; null also where the first block does not pass the test. */
  public @Nullable OperationBlock pollIf(Predicate<OperationBlock> test) {
    return isEmpty() ? null : take(test);
  }

  /** Never true while there is a block whose offer had returned before the call. */
  public boolean isEmpty() {
    // In this order: a block leaves the stack after it counts as sorted.
    return offered == null && sorted == 0;
  }

  private @Nullable OperationBlock take(@Nullable Predicate<OperationBlock> test) {
    if (oneTaker) {
      return takeInTurn(test);
    }
    for (int spins = 0; !TURN.compareAndSet(this, 0, 1); spins++) {
      StateWord.pause(spins);
    }
    try {
      return takeInTurn(test);
    } finally {
      TURN.setRelease(this, 0);
    }
  }

  private @Nullable OperationBlock takeInTurn(@Nullable Predicate<OperationBlock> test) {
    OperationBlock top = offered;
    if (top != null) {
      if (count == 0 && test == null && top.next() == null && OFFERED.compareAndSet(this, top, null)) {
        return top; // the only one, as mostly where one operation makes the next one ready
      }
      sortOffered();
    }
    OperationBlock next = next();
    if (next == null || (test != null && !test.test(next))) {
      SORTED.setRelease(this, count);
      return null;
    }
    remove(next);
    count--;
    SORTED.setRelease(this, count);
    return next;
  }

  private void sortOffered() {
    SORTED.setOpaque(this, count + 1);
    OperationBlock block = null;
    // All that was written before is seen by a thread that finds the stack empty.
    OperationBlock later = (OperationBlock) OFFERED.getAndSet(this, null);
    while (later != null) {
      OperationBlock before = later.next();
      later.linkTo(block);
      block = later;
      later = before;
    }
    while (block != null) {
      OperationBlock after = block.next();
      block.linkTo(null);
      sort(block);
      count++;
      block = after;
    }
  }

  private void sort(OperationBlock block) {
    OperationBlock end = block.isDelete() ? lastDelete : last;
    if ((byPriority && !block.isDelete()) || (end != null && block.wasPushedBefore(end))) {
      heap = merged(heap, block);
    } else if (block.isDelete()) {
      firstDelete = appended(firstDelete, end, block);
      lastDelete = block;
    } else {
      first = appended(first, end, block);
      last = block;
    }
  }

  /** Returns the first block of the list. */
  private static OperationBlock appended(@Nullable OperationBlock first, @Nullable OperationBlock end,
    OperationBlock block) {
    if (first == null || end == null) {
      return block;
    }
    end.linkTo(block);
    return first;
  }

  private @Nullable OperationBlock next() {
    OperationBlock inOrder = firstDelete == null ? first : firstDelete;
    OperationBlock late = heap;
    return late == null || (inOrder != null && isBefore(inOrder, late)) ? inOrder : late;
  }

  @SuppressWarnings("ReferenceEquality")
  private void remove(OperationBlock next) {
    if (next == firstDelete) {
      firstDelete = next.next();
      lastDelete = firstDelete == null ? null : lastDelete;
    } else if (next == first) {
      first = next.next();
      last = first == null ? null : last;
    } else {
      heap = merged(next.next(), next.other());
      next.setOther(null);
    }
    // If the link stayed, a dead block in the old generation would keep all later blocks alive for the collector.
    next.linkTo(null);
  }

  private boolean isBefore(OperationBlock a, OperationBlock b) {
    if (a.isDelete() != b.isDelete()) {
      return a.isDelete();
    }
    int priorityOfA = byPriority && !a.isDelete() ? a.operation().priority() : 0;
    int priorityOfB = byPriority && !b.isDelete() ? b.operation().priority() : 0;
    return priorityOfA == priorityOfB ? a.wasPushedBefore(b) : priorityOfA > priorityOfB;
  }

  /** One heap of two. A block links to its children: one by {@code next}, the other by {@code other}. */
  private @Nullable OperationBlock merged(@Nullable OperationBlock one, @Nullable OperationBlock two) {
    if (one == null || two == null) {
      return one == null ? two : one;
    }
    OperationBlock least = isBefore(two, one) ? two : one;
    OperationBlock rest = isBefore(two, one) ? one : two;
    OperationBlock at = least;
    while (true) {
      OperationBlock below = at.other();
      at.setOther(at.next());
      if (below == null) {
        at.linkTo(rest);
        return least;
      }
      boolean restIsLess = isBefore(rest, below);
      OperationBlock next = restIsLess ? rest : below;
      rest = restIsLess ? below : rest;
      at.linkTo(next);
      at = next;
    }
  }
}
