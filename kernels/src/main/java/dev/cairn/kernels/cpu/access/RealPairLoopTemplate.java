package dev.cairn.kernels.cpu.access;

import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.util.function.DoubleBinaryOperator;

/** The loop over two operands of real numbers; used only through copies, see {@link LoopCopy}. */
final class RealPairLoopTemplate implements BlockLoop.OfReals {
  private static final DoubleBinaryOperator FUNCTION;

  static {
    try {
      FUNCTION = MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME,
        DoubleBinaryOperator.class);
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  RealPairLoopTemplate() {}

  @Override
  public void combine(double[] block, double[] other, int count) {
    for (int i = 0; i < count; i++) {
      block[i] = FUNCTION.applyAsDouble(block[i], other[i]);
    }
  }

  @Override
  public double fold(double first, double[] block, int count) {
    double joined = first;
    for (int i = 0; i < count; i++) {
      joined = FUNCTION.applyAsDouble(joined, block[i]);
    }
    return joined;
  }

  @Override
  public double scan(double first, double[] block, int count) {
    double joined = first;
    for (int i = 0; i < count; i++) {
      joined = FUNCTION.applyAsDouble(joined, block[i]);
      block[i] = joined;
    }
    return joined;
  }
}
