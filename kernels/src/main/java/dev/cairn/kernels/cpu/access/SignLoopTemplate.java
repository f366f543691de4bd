package dev.cairn.kernels.cpu.access;

import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.util.function.IntPredicate;

/** The loop of comparisons; used only through copies, see {@link LoopCopy}. */
final class SignLoopTemplate implements BlockLoop.OfSigns {
  private static final boolean LESS;
  private static final boolean EQUAL;
  private static final boolean GREATER;

  static {
    try {
      IntPredicate holds = MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME,
        IntPredicate.class);
      LESS = holds.test(-1);
      EQUAL = holds.test(0);
      GREATER = holds.test(1);
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  SignLoopTemplate() {}

  @Override
  public void compare(double[] left, double[] right, long[] results, int count) {
    for (int i = 0; i < count; i++) {
      double a = left[i];
      double b = right[i];
      results[i] = (LESS && a < b) || (EQUAL && a == b) || (GREATER && a > b) ? 1 : 0;
    }
  }

  @Override
  public void compare(long[] left, long[] right, long[] results, int count) {
    for (int i = 0; i < count; i++) {
      long a = left[i];
      long b = right[i];
      results[i] = (LESS && a < b) || (EQUAL && a == b) || (GREATER && a > b) ? 1 : 0;
    }
  }
}
