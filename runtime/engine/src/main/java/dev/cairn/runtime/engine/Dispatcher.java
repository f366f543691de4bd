package dev.cairn.runtime.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Hands blocks whose turn has come to the threads that run them, and lets in those that wait behind. Thread-safe. */
final class Dispatcher {
  private final Routing routing;
  private final BlockRunner runner;
  /** The blocks that a refusing thread has yet to refuse, so that a long chain of them needs no stack. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable Deque<OperationBlock>> toRefuse = new ThreadLocal<>();

  Dispatcher(Routing routing, BlockRunner runner) {
    this.routing = routing;
    this.runner = runner;
  }

  /** Whether the thread that pushes the operation is to run it. */
  boolean runsOnPusher(Operation operation) {
    return routing.runsOnPusher(operation.property()) && !(operation.work() instanceof StreamBody);
  }

  /** Hands on what was ready when it was pushed. */
  void dispatch(OperationBlock block) {
    dispatch(block, false);
  }

  /** @param hurried whether its threads must look at once, and not wait for more to come */
  private void dispatch(OperationBlock block, boolean hurried) {
    WorkerGroup group = offer(block);
    if (group != null) {
      group.wakeIfNeeded();
      if (hurried) {
        group.hurry();
      }
    }
  }

  /** Returns whose threads are to run it; null where it was refused. */
  private @Nullable WorkerGroup offer(OperationBlock block) {
    Operation operation = block.operation();
    try {
      WorkerGroup group = routing.group(operation, runner);
      group.offer(block);
      return group;
    } catch (RuntimeException | Error e) {
      // No heap for its threads, or for their queue: it must end all the same, as others wait for it.
      refuse(block, e);
      return null;
    }
  }

  private void refuse(OperationBlock block, Throwable cause) {
    Deque<OperationBlock> later = toRefuse.get();
    if (later != null) {
      later.add(block);
      return;
    }
    later = new ArrayDeque<>();
    toRefuse.set(later);
    try {
      // Each end may make others ready, which have no room either.
      for (OperationBlock next = block; next != null; next = later.poll()) {
        runner.refuse(next, cause);
      }
    } finally {
      toRefuse.remove();
    }
  }

  /** The block leaves its variables; what that makes ready is handed on. */
  void leave(OperationBlock block) {
    handOn(block.operation().footprint().leave(null));
  }

  /** Hands on a ring of ready blocks. */
  void handOn(@Nullable OperationBlock last) {
    if (last != null) {
      dispatchRing(last);
    }
  }

  private void dispatchRing(OperationBlock last) {
    OperationBlock block = last.next();
    last.linkTo(null);
    while (block != null) {
      OperationBlock next = block.next();
      block.linkTo(null);
      if (block instanceof Wait wait) {
        wait.wake();
        leave(wait);
      } else {
        // A thread may wait for the block, and here no thread pushes that a look at the queue would disturb.
        dispatch(block, true);
      }
      block = next;
    }
  }
}
