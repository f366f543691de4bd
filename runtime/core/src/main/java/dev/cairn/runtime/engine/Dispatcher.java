package dev.cairn.runtime.engine;

/** Hands blocks whose turn has come to the threads that run them, and lets in who waited behind them. Thread-safe. */
final class Dispatcher {
  private final Routing routing;
  private final BlockRunner runner;

  Dispatcher(Routing routing, BlockRunner runner) {
    this.routing = routing;
    this.runner = runner;
  }

  void dispatch(Block block) {
    Operation operation = block.operation();
    WorkerGroup group;
    try {
      group = routing.group(operation, runner);
      group.offer(block, operation.property() == FunctionProperty.DELETE);
    } catch (RuntimeException | Error e) {
      // No heap for its threads, or for their queue: it must end all the same, as others wait for it.
      runner.refuse(block, e);
      return;
    }
    group.wakeIfNeeded();
  }

  /** The block leaves its variables; what that makes ready is handed on. */
  void leave(Block block) {
    Block last = block.operation().footprint().leave(null);
    if (last != null) {
      dispatchRing(last);
    }
  }

  private void dispatchRing(Block last) {
    Block block = last.next();
    last.linkTo(null);
    while (block != null) {
      Block next = block.next();
      block.linkTo(null);
      if (block instanceof Wait wait) {
        wait.wake();
        leave(wait);
      } else {
        dispatch(block);
      }
      block = next;
    }
  }
}
