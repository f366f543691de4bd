package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/** Random tensors in memory of an arena: the same questions in the same order get the same values. */
final class SeededValues {
  private static final long ALIGNMENT = 64;

  private final SplittableRandom random;
  private final Arena arena;

  SeededValues(long seed, Arena arena) {
    this.random = new SplittableRandom(seed);
    this.arena = arena;
  }

  /** {@code float32} numbers in {@code [low, high)}, all as likely. */
  TensorView floats(Shape shape, double low, double high) {
    TensorView view = allocate(DType.FLOAT32, shape);
    long bits = 0;
    float span = (float) ((high - low) * 0x1p-24);
    for (long i = 0; i < shape.elementCount(); i++) {
      bits = i % 2 == 0 ? random.nextLong() : bits >>> 32;
      view.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (bits & 0xFFFFFF) * span + (float) low);
    }
    return view;
  }

  /** {@code int64} numbers in {@code [0, bound)}. */
  TensorView longs(Shape shape, long bound) {
    TensorView view = allocate(DType.INT64, shape);
    for (long i = 0; i < shape.elementCount(); i++) {
      view.segment().setAtIndex(ValueLayout.JAVA_LONG, i, random.nextLong(bound));
    }
    return view;
  }

  private TensorView allocate(DType dtype, Shape shape) {
    var type = new TensorType(dtype, shape);
    MemorySegment memory = arena.allocate(type.bytes(), ALIGNMENT);
    return new TensorView(type, memory);
  }
}
