package dev.cairn.runtime.train.initializer;

import dev.cairn.kernels.cpu.random.PhiloxGenerator;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.resource.RandomState;
import java.lang.foreign.ValueLayout;
import java.util.function.DoubleUnaryOperator;

/** Writes numbers into a parameter's bytes, and draws random ones. */
final class FirstValues {
  private static final int BLOCK = 1 << 12;

  /** A function of a Philox generator that computes some elements, from one on. */
  @FunctionalInterface
  interface Numbers {
    void compute(PhiloxGenerator generator, long first, double[] to, int count);
  }

  private FirstValues() {}

  static void set(TensorView view, long index, double value) {
    switch (view.dtype()) {
      case FLOAT32 -> view.segment().set(ValueLayout.JAVA_FLOAT_UNALIGNED, index * Float.BYTES, (float) value);
      case FLOAT64 -> view.segment().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, index * Double.BYTES, value);
      default -> throw new IllegalArgumentException("parameters are float32 or float64: type=" + view.type());
    }
  }

  static void fill(TensorView view, double value) {
    for (long i = 0; i < view.elementCount(); i++) {
      set(view, i, value);
    }
  }

  /** Takes one draw, and puts a function of its numbers into each element. */
  static void draw(TensorView view, RandomState random, Numbers numbers, DoubleUnaryOperator function) {
    double[] block = new double[BLOCK];
    PhiloxGenerator generator = generator(random);
    for (long first = 0; first < view.elementCount(); first += BLOCK) {
      int count = (int) Math.min(BLOCK, view.elementCount() - first);
      numbers.compute(generator, first, block, count);
      for (int i = 0; i < count; i++) {
        set(view, first + i, function.applyAsDouble(block[i]));
      }
    }
  }

  static PhiloxGenerator generator(RandomState random) {
    TensorView draw = random.draw();
    return new PhiloxGenerator(draw.longAt(0), draw.longAt(1));
  }
}
