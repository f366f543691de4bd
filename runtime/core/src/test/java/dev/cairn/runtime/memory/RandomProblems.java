package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Seeded problems of many kinds: none to 120 buffers, of no bytes, equal, mixed; alignments 1 to 4096; outputs; kept
 * ones.
 */
public final class RandomProblems {
  private static final int[] SIZES = {0, 1, 2, 3, 7, 20, 50, 120};

  private RandomProblems() {}

  /** The same problem for the same seed. */
  public static MemoryProblem seeded(long seed) {
    RandomGenerator random = new Random(seed);
    int size = SIZES[(int) (seed % SIZES.length)];
    int steps = 1 + random.nextInt(1 + 2 * size);
    boolean aligned = random.nextBoolean();
    boolean flagged = random.nextBoolean();
    int kind = random.nextInt(4);
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int first = random.nextInt(steps);
      int longest = random.nextInt(4) == 0 ? steps - first : Math.min(steps - first, 6);
      Buffer buffer = Buffer.of("b" + i, bytes(random, kind), new Lifetime(first, first + 1 + random.nextInt(longest)))
        .withReuseKey("s" + random.nextInt(2));
      if (aligned) {
        buffer = buffer.withAlignment(1L << random.nextInt(13));
      }
      if (flagged && random.nextInt(10) == 0) {
        buffer = random.nextBoolean() ? buffer.withoutReuse() : buffer.asOutput();
      }
      buffers.add(buffer);
    }
    return new MemoryProblem(buffers);
  }

  private static long bytes(RandomGenerator random, int kind) {
    return switch (kind) {
      case 0 -> 64;
      case 1 -> random.nextInt(4);
      case 2 -> 1L << random.nextInt(20);
      default -> random.nextInt(5) == 0 ? 0 : random.nextLong(1, 100_000);
    };
  }
}
