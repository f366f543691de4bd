package dev.cairn.benchmarks.planning;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Problems shaped like the training of a deep network, of any size, from a seed: half of the buffers are activations
 * that wait for their gradients and die in the opposite order, the others live for a few steps; sizes are those of
 * tensors, few and repeated.
 */
final class GeneratedProblem {
  private static final int SIZES = 40;
  private static final int ALIGNMENT = 64;

  private GeneratedProblem() {}

  static MemoryProblem of(int buffers, long seed) {
    var random = new Random(seed);
    long[] sizes = new long[SIZES];
    for (int i = 0; i < SIZES; i++) {
      sizes[i] = (1 + random.nextInt(64)) * (256L << random.nextInt(15));
    }
    List<Buffer> all = new ArrayList<>();
    for (int i = 0; i < buffers; i++) {
      boolean waits = i < buffers / 2 && random.nextInt(10) < 6;
      int end = waits ? 2 * buffers - 2 * i + random.nextInt(6) : 2 * i + 1 + random.nextInt(12);
      var life = new Lifetime(2 * i, Math.max(2 * i + 1, end));
      all.add(Buffer.of("b" + i, sizes[random.nextInt(SIZES)], life).withAlignment(ALIGNMENT));
    }
    return new MemoryProblem(all);
  }
}
