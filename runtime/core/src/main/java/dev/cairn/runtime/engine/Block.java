package dev.cairn.runtime.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One push of an operation. Counts down the variables it waits for, then says how far it has come. Used once, so that a
 * late word about it cannot be taken for one about another push. It is also its own link: first in the ring of blocks
 * that one end made ready, which is known by its last element, then in a queue of workers.
 */
class Block implements Completion {
  private static final int STARTED = -1;
  private static final int ENDED = -2;
  private static final VarHandle WAIT;
  private static final VarHandle NEXT;

  static {
    try {
      WAIT = MethodHandles.lookup().findVarHandle(Block.class, "wait", int.class);
      NEXT = MethodHandles.lookup().findVarHandle(Block.class, "next", Block.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final End end;
  private final Operation operation;
  private volatile int wait;
  private volatile @Nullable Block next;

  /** To be told of the end of asynchronous work, once. */
  @FunctionalInterface
  interface End {
    void ended(Block block, @Nullable Throwable cause);
  }

  Block(End end, Operation operation) {
    this.end = end;
    this.operation = operation;
    WAIT.set(this, operation.footprint().size() + 1);
  }

  /** One that is never run: the first link of a list. */
  static Block stub() {
    return new Block((block, cause) -> {}, Operation.of("none", Footprint.NONE, () -> {}));
  }

  final Operation operation() {
    return operation;
  }

  /** Takes its place at all its variables; true when nothing is left to wait for. */
  final boolean enqueue() {
    Footprint footprint = operation.footprint();
    int all = footprint.size() + 1;
    int free = footprint.append(this) + 1;
    // When all are free nobody else knows the block, and nothing needs to be atomic.
    return free == all || (int) WAIT.getAndAdd(this, -free) == free;
  }

  /** One variable less to wait for; true when that was the last. */
  final boolean release() {
    return (int) WAIT.getAndAdd(this, -1) == 1;
  }

  /** Becomes the last of a ring of ready blocks; null is the empty one. */
  final Block joinAfter(@Nullable Block last) {
    if (last == null) {
      NEXT.set(this, this);
    } else {
      NEXT.set(this, (Block) NEXT.get(last));
      NEXT.set(last, this);
    }
    return this;
  }

  final @Nullable Block next() {
    return next;
  }

  final void linkTo(@Nullable Block block) {
    NEXT.setRelease(this, block);
  }

  /** From here on the work may tell its end. */
  final void startAsync() {
    wait = STARTED;
  }

  /** True for the one who ends it. */
  final boolean tryEnd() {
    return WAIT.compareAndSet(this, STARTED, ENDED);
  }

  @Override
  public void started() {
    if (wait == ENDED) {
      throw new IllegalStateException("started after its end: operation=" + operation.name());
    }
  }

  @Override
  public void complete() {
    end(null);
  }

  @Override
  public void fail(Throwable cause) {
    end(cause);
  }

  private void end(@Nullable Throwable cause) {
    if (!tryEnd()) {
      throw new IllegalStateException("completed twice: operation=%s site=%s".formatted(operation.name(),
        operation.site()));
    }
    end.ended(this, cause);
  }

  @Override
  public String toString() {
    return operation.name();
  }
}
