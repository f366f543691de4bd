package dev.cairn.kernels.cpu.access;

import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.util.function.DoubleUnaryOperator;

/** The loop over one operand of real numbers; used only through copies, see {@link LoopCopy}. */
final class RealLoopTemplate implements BlockLoop.OfReal {
  private static final DoubleUnaryOperator FUNCTION;

  static {
    try {
      FUNCTION = MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, DoubleUnaryOperator.class);
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  RealLoopTemplate() {}

  @Override
  public void map(double[] block, int count) {
    for (int i = 0; i < count; i++) {
      block[i] = FUNCTION.applyAsDouble(block[i]);
    }
  }
}
