package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded problems as training gives them: a hump of activations, short-lived scratch, some kept throughout. */
final class ManyBuffers {
  private ManyBuffers() {}

  /** The same problem for the same seed; alignments are mixed for odd seeds. */
  static MemoryProblem problem(long seed, int size) {
    Random random = new Random(seed);
    List<Buffer> buffers = new ArrayList<>();
    int steps = 2 * size;
    for (int i = 0; i < size; i++) {
      int kind = random.nextInt(20);
      Lifetime lifetime;
      if (kind == 0) {
        lifetime = new Lifetime(0, steps);
      } else if (kind < 8) {
        int first = random.nextInt(steps / 2);
        lifetime = new Lifetime(first, steps - first - random.nextInt(1 + (steps - 2 * first) / 4));
      } else {
        int first = random.nextInt(steps - 8);
        lifetime = new Lifetime(first, first + 1 + random.nextInt(8));
      }
      long bytes = random.nextInt(3) == 0 ? random.nextInt(1, 5_000) : 64L << random.nextInt(12);
      Buffer buffer = Buffer.of("b" + i, bytes, lifetime);
      buffers.add(seed % 2 == 0 ? buffer : buffer.withAlignment(1L << random.nextInt(10)));
    }
    return new MemoryProblem(buffers);
  }

  static Rectangles rectangles(long seed, int size) {
    return rectangles(problem(seed, size));
  }

  /** All of a problem of one device. */
  static Rectangles rectangles(MemoryProblem problem) {
    return Rectangles.of(problem, 0, LowerBound.of(problem).bytes());
  }
}
