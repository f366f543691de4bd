package dev.cairn.runtime.engine.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One push of an operation. Counts down the variables it waits for. Used once, so that a late word about it cannot be
 * taken for one about another push. It is also its own link: first in the ring of blocks that one end made ready, which
 * is known by its last element, then in a {@link ReadyQueue}.
 */
public class OperationBlock {
  private static final VarHandle WAIT;
  private static final VarHandle NEXT;

  static {
    try {
      WAIT = MethodHandles.lookup().findVarHandle(OperationBlock.class, "wait", int.class);
      NEXT = MethodHandles.lookup().findVarHandle(OperationBlock.class, "next", OperationBlock.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Operation operation;
  private final int number;
  private volatile int wait;
  private volatile @Nullable OperationBlock next;
  /** For the heap of a queue. */
  private @Nullable OperationBlock other;

  /** @param number of the push; of two pushes of one thread, the later has the next or a later one */
  @SuppressWarnings("this-escape") // into the handle of a field of this class
  public OperationBlock(Operation operation, int number) {
    this.operation = operation;
    this.number = number;
    int size = operation.footprint().size();
    // With one variable no operation can come in between: the thread that lets the block in counts for the push, too.
    WAIT.set(this, size == 1 ? 1 : size + 1);
  }

  /** One that is never run: a mark among blocks. */
  public static OperationBlock stub() {
    return new OperationBlock(Operation.of("none", Footprint.NONE, () -> {}), 0);
  }

  /** What is pushed. */
  public final Operation operation() {
    return operation;
  }

  /** Whether it was pushed before the other one. Numbers come round after 2<sup>32</sup> pushes; fewer lie between. */
  public final boolean wasPushedBefore(OperationBlock other) {
    return number - other.number < 0;
  }

  /** Whether it gives something back, and runs before others. */
  public final boolean isDelete() {
    return operation.property() == FunctionProperty.DELETE;
  }

  /** Whether it may take a place behind a variable's delete: then it must not use what the variable stands for. */
  boolean mayFollowDelete() {
    return isDelete();
  }

  /**
   * Takes its place at all its variables; true when nothing is left to wait for.
   *
   * @throws IllegalStateException when one of them is deleted; then it has taken none
   */
  public final boolean enqueue() {
    Footprint footprint = operation.footprint();
    if (footprint.size() == 1) {
      return footprint.append(this) == 1;
    }
    return isReady(footprint.append(this));
  }

  /**
   * Called when the block has its place at all its variables.
   *
   * @param letIn how many of them granted access immediately
   * @return whether it has no variable left to wait for
   */
  final boolean isReady(int letIn) {
    int free = letIn + 1;
    // When all are free no other thread knows the block, and nothing needs to be atomic.
    return free == operation.footprint().size() + 1 || (int) WAIT.getAndAdd(this, -free) == free;
  }

  /** One variable less to wait for; true when that was the last. */
  final boolean release() {
    // A thread that has one to take away and sees one has the last.
    return wait == 1 || (int) WAIT.getAndAdd(this, -1) == 1;
  }

  /** Becomes the last of a ring of ready blocks; null is the empty one. */
  public final OperationBlock joinAfter(@Nullable OperationBlock last) {
    if (last == null) {
      NEXT.set(this, this);
    } else {
      NEXT.set(this, (OperationBlock) NEXT.get(last));
      NEXT.set(last, this);
    }
    return this;
  }

  /** The next one in a ring or a list. */
  public final @Nullable OperationBlock next() {
    return next;
  }

  final @Nullable OperationBlock other() {
    return other;
  }

  final void setOther(@Nullable OperationBlock block) {
    other = block;
  }

  /** Sets the next one. */
  public final void linkTo(@Nullable OperationBlock block) {
    NEXT.setRelease(this, block);
  }

  @Override
  public String toString() {
    return operation.name();
  }
}
