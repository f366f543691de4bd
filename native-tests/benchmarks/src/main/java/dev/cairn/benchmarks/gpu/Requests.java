package dev.cairn.benchmarks.gpu;

import java.util.SplittableRandom;

/**
 * What is asked of memory, the same for each side.
 *
 * @param name for the table
 * @param live how many blocks are held all the time; with none, each is freed at once
 * @param bytes of each block; 0 for sizes at random
 */
record Requests(String name, int live, long bytes) {
  static final int LIVE = 256;
  private static final int LEAST_BITS = 9;
  private static final int MOST_BITS = 20;
  private static final long SEED = 20;

  /** Something that gives blocks and takes them back. */
  interface Memory {
    /** A token by which the block is given back. */
    long take(long bytes);

    void give(long token);

    /** Waits for what is still to happen; not timed. */
    default void settle() {}
  }

  static Requests pairs(String name, long bytes) {
    return new Requests(name, 0, bytes);
  }

  /** Sizes from 512 B to 1 MiB, each power of two as likely as the next. */
  static Requests mixed(String name) {
    return new Requests(name, LIVE, 0);
  }

  /** Nanoseconds for a block granted and one given back. */
  double nanos(Memory memory, int times) {
    var random = new SplittableRandom(SEED);
    long[] held = new long[live];
    for (int i = 0; i < live; i++) {
      held[i] = memory.take(size(random));
    }
    memory.give(memory.take(size(random)));
    memory.settle();
    long began = System.nanoTime();
    for (int i = 0; i < times; i++) {
      if (live == 0) {
        memory.give(memory.take(bytes));
      } else {
        int place = random.nextInt(live);
        memory.give(held[place]);
        held[place] = memory.take(size(random));
      }
    }
    double nanos = System.nanoTime() - began;
    for (long token : held) {
      memory.give(token);
    }
    memory.settle();
    return nanos / times;
  }

  private long size(SplittableRandom random) {
    if (bytes > 0) {
      return bytes;
    }
    int bits = random.nextInt(LEAST_BITS, MOST_BITS);
    return (1L << bits) + random.nextLong(1L << bits);
  }
}
