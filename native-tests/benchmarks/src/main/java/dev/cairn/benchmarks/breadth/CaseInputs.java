package dev.cairn.benchmarks.breadth;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Inputs from a seed, the same for both engines: real numbers between -2 and 2, or positive ones; whole numbers 0 and
 * 1, which are valid as indices, or 1 and 2 for a case of whole numbers, which may be divisors.
 */
final class CaseInputs {
  private static final long ALIGNMENT = 64;

  private CaseInputs() {}

  static Map<String, TensorView> of(Map<String, TensorType> types, BreadthCase one, long seed, Arena arena) {
    var random = new SplittableRandom(seed);
    Map<String, TensorView> inputs = new LinkedHashMap<>();
    types.forEach((name, type) -> {
      MemorySegment memory = arena.allocate(Math.max(1, type.bytes()), ALIGNMENT);
      double low = one.positive() ? 0.05 : -2;
      long least = type.dtype() == one.dtype() ? 1 : 0;
      for (long i = 0; i < type.shape().elementCount(); i++) {
        set(memory, type.dtype(), i, random.nextDouble(low, 2), random.nextInt(2) + least);
      }
      inputs.put(name, new TensorView(type, memory));
    });
    return inputs;
  }

  private static void set(MemorySegment memory, DType dtype, long i, double real, long whole) {
    switch (dtype) {
      case FLOAT32 -> memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) real);
      case FLOAT64 -> memory.setAtIndex(ValueLayout.JAVA_DOUBLE, i, real);
      case FLOAT16 -> memory.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16((float) real));
      case INT64 -> memory.setAtIndex(ValueLayout.JAVA_LONG, i, whole);
      case INT32 -> memory.setAtIndex(ValueLayout.JAVA_INT, i, (int) whole);
      case INT8, UINT8 -> memory.set(ValueLayout.JAVA_BYTE, i, (byte) whole);
      case BOOL -> memory.set(ValueLayout.JAVA_BYTE, i, (byte) (whole & 1));
      default -> throw new IllegalArgumentException("no case has it: dtype=" + dtype);
    }
  }
}
