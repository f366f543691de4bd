package dev.cairn.runtime.engine.queue;

import org.jspecify.annotations.Nullable;

/** An engine without threads: the thread that makes a block ready runs it. */
final class Runs {
  static final Variables VARIABLES = new Variables();

  private Runs() {}

  static OperationBlock blockOf(Footprint footprint, Runnable work) {
    return new OperationBlock(Operation.of("stress", footprint, work), 0);
  }

  static void push(OperationBlock block) {
    if (block.enqueue()) {
      run(block);
    }
  }

  static void run(OperationBlock block) {
    block.operation().work().run();
    runRing(block.operation().footprint().leave(null));
  }

  private static void runRing(@Nullable OperationBlock last) {
    if (last == null) {
      return;
    }
    OperationBlock block = last.next();
    last.linkTo(null);
    while (block != null) {
      OperationBlock next = block.next();
      run(block);
      block = next;
    }
  }
}
