package dev.cairn.kernels.cpu.access;

import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.util.function.LongUnaryOperator;

/** The loop over one operand of whole numbers; used only through copies, see {@link LoopCopy}. */
final class WholeLoopTemplate implements BlockLoop.OfWhole {
  private static final LongUnaryOperator FUNCTION;

  static {
    try {
      FUNCTION = MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, LongUnaryOperator.class);
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  WholeLoopTemplate() {}

  @Override
  public void map(long[] block, int count) {
    for (int i = 0; i < count; i++) {
      block[i] = FUNCTION.applyAsLong(block[i]);
    }
  }
}
