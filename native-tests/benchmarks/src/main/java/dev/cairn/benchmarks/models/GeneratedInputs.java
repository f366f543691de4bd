package dev.cairn.benchmarks.models;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Inputs from a seed, the same for both engines: real numbers uniform in [-1, 1), whole numbers 0 or 1, which are
 * valid as words, masks and token types alike.
 */
final class GeneratedInputs {
  private static final long SEED = 40;
  private static final long ALIGNMENT = 64;
  /** A count, of trips for example: what a single whole number says. */
  private static final long COUNT = 16;

  private GeneratedInputs() {}

  /** One tensor for each type, in memory of the arena; the order of the types does not matter. */
  static Map<String, TensorView> of(Map<String, TensorType> types, Arena arena) {
    var random = new SplittableRandom(SEED);
    Map<String, TensorView> inputs = new LinkedHashMap<>();
    new TreeMap<>(types).forEach((name, type) -> inputs.put(name, generated(type, random, arena)));
    return inputs;
  }

  private static TensorView generated(TensorType type, SplittableRandom random, Arena arena) {
    boolean isOne = type.shape().rank() == 0;
    MemorySegment memory = arena.allocate(type.bytes(), ALIGNMENT);
    for (long i = 0; i < type.shape().elementCount(); i++) {
      if (type.dtype() == DType.FLOAT32) {
        memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextDouble(-1, 1));
      } else if (type.dtype() == DType.INT64) {
        memory.setAtIndex(ValueLayout.JAVA_LONG, i, isOne ? COUNT : random.nextLong(2));
      } else {
        throw new IllegalArgumentException("no model here has such an input: type=" + type);
      }
    }
    return new TensorView(type, memory);
  }
}
