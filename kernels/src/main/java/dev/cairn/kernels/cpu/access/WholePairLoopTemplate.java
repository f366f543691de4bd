package dev.cairn.kernels.cpu.access;

import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.util.function.LongBinaryOperator;

/** The loop over two operands of whole numbers; used only through copies, see {@link LoopCopy}. */
final class WholePairLoopTemplate implements BlockLoop.OfWholes {
  private static final LongBinaryOperator FUNCTION;

  static {
    try {
      FUNCTION = MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, LongBinaryOperator.class);
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  WholePairLoopTemplate() {}

  @Override
  public void combine(long[] block, long[] other, int count) {
    for (int i = 0; i < count; i++) {
      block[i] = FUNCTION.applyAsLong(block[i], other[i]);
    }
  }

  @Override
  public long fold(long first, long[] block, int count) {
    long joined = first;
    for (int i = 0; i < count; i++) {
      joined = FUNCTION.applyAsLong(joined, block[i]);
    }
    return joined;
  }

  @Override
  public long scan(long first, long[] block, int count) {
    long joined = first;
    for (int i = 0; i < count; i++) {
      joined = FUNCTION.applyAsLong(joined, block[i]);
      block[i] = joined;
    }
    return joined;
  }
}
