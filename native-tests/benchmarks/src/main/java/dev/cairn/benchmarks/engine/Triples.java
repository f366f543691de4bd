package dev.cairn.benchmarks.engine;

import java.util.SplittableRandom;

/**
 * Which variables each operation of {@link Workload#READS_AND_WRITE} touches: three different ones, by chance, but the
 * same for all engines, over and over.
 */
final class Triples {
  static final int COUNT = 1024;
  private static final int THREE = 3;

  private final int[] numbers;

  private Triples(int[] numbers) {
    this.numbers = numbers;
  }

  static Triples of(int variables) {
    var random = new SplittableRandom(1);
    var numbers = new int[THREE * COUNT];
    for (int i = 0; i < COUNT; i++) {
      System.arraycopy(random.ints(0, variables).distinct().limit(THREE).toArray(), 0, numbers, THREE * i, THREE);
    }
    return new Triples(numbers);
  }

  /** @param which 0 or 1 */
  int read(int triple, int which) {
    return numbers[THREE * triple + which];
  }

  int write(int triple) {
    return numbers[THREE * triple + 2];
  }
}
