package dev.cairn.kernels.cpu.access;

import java.lang.invoke.MethodHandles;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A loop over blocks of elements as {@code double} or {@code long} with one function of elements: a copy of its class
 * ({@link LoopCopy}), which is made when it is first wanted.
 *
 * @param <T> {@link OfReal}, {@link OfWhole}, {@link OfReals}, {@link OfWholes} or {@link OfSigns}
 */
@SuppressWarnings("overloads")
public final class BlockLoop<T> {
  private final Class<T> type;
  private final Class<? extends T> template;
  private final Object function;
  private volatile @Nullable T copy;

  /** A loop over {@code double}. */
  @FunctionalInterface
  public interface OfReal {
    /** Replaces each element by a function of it. */
    void map(double[] block, int count);
  }

  /** Like {@link OfReal}, over {@code long}. */
  @FunctionalInterface
  public interface OfWhole {
    void map(long[] block, int count);
  }

  /** A loop over pairs of {@code double}. */
  public interface OfReals {
    /** Replaces each element of {@code block} by a function of it and of the one at its place in {@code other}. */
    void combine(double[] block, double[] other, int count);

    /** Joins elements to a number, one after the other. */
    double fold(double first, double[] block, int count);

    /** Like {@link #fold}; each element is replaced by what is joined with it. */
    double scan(double first, double[] block, int count);
  }

  /** Like {@link OfReals}, over {@code long}. */
  public interface OfWholes {
    void combine(long[] block, long[] other, int count);

    long fold(long first, long[] block, int count);

    long scan(long first, long[] block, int count);
  }

  /** Writes 1 where two elements compare as wanted, else 0. */
  public interface OfSigns {
    void compare(double[] left, double[] right, long[] results, int count);

    void compare(long[] left, long[] right, long[] results, int count);
  }

  private BlockLoop(Class<T> type, Class<? extends T> template, Object function) {
    this.type = type;
    this.template = template;
    this.function = function;
  }

  /** A function of one real number. */
  public static BlockLoop<OfReal> of(DoubleUnaryOperator function) {
    return new BlockLoop<>(OfReal.class, RealLoopTemplate.class, function);
  }

  /** A function of one whole number. */
  public static BlockLoop<OfWhole> of(LongUnaryOperator function) {
    return new BlockLoop<>(OfWhole.class, WholeLoopTemplate.class, function);
  }

  /** A function of two real numbers. */
  public static BlockLoop<OfReals> of(DoubleBinaryOperator function) {
    return new BlockLoop<>(OfReals.class, RealPairLoopTemplate.class, function);
  }

  /** A function of two whole numbers. */
  public static BlockLoop<OfWholes> of(LongBinaryOperator function) {
    return new BlockLoop<>(OfWholes.class, WholePairLoopTemplate.class, function);
  }

  /** @param holds whether the result is true, for operands that compare as -1, 0 or 1 */
  public static BlockLoop<OfSigns> of(IntPredicate holds) {
    return new BlockLoop<>(OfSigns.class, SignLoopTemplate.class, holds);
  }

  /** The loop. Threads that want it first at the same time may each make one. */
  public T get() {
    T made = copy;
    if (made == null) {
      made = LoopCopy.of(MethodHandles.lookup(), type, template, function);
      copy = made;
    }
    return made;
  }
}
