package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/** An engine without threads: whoever makes a block ready runs it. */
final class Runs {
  static final Variables VARIABLES = new Variables();

  private Runs() {}

  static Block blockOf(Footprint footprint, Runnable work) {
    return new Block(Operation.of("stress", footprint, work));
  }

  static void push(Block block) {
    if (block.enqueue()) {
      run(block);
    }
  }

  static void run(Block block) {
    block.operation().work().run();
    runRing(block.operation().footprint().leave(null));
  }

  private static void runRing(@Nullable Block last) {
    if (last == null) {
      return;
    }
    Block block = last.next();
    last.linkTo(null);
    while (block != null) {
      Block next = block.next();
      run(block);
      block = next;
    }
  }
}
