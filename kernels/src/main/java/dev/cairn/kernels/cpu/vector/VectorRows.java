package dev.cairn.kernels.cpu.vector;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The functions of reductions and normalisations over one row of neighbouring {@code float32}, always in the same
 * order, so that results depend on the row alone. Positions and lengths count elements.
 */
public final class VectorRows {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final FloatVector LEAST = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);

  /** Elements of a plane that are added up in {@code float}. Sums of more elements would lose the last terms. */
  private static final long PART = 1 << 10;

  private VectorRows() {}

  /** The sum, which is added up in parts: those of a long row, too, have all their digits. */
  public static float sum(MemorySegment x, long at, long length) {
    if (length <= PART) {
      return partSum(x, at, length);
    }
    double sum = 0;
    for (long i = 0; i < length; i += PART) {
      sum += partSum(x, at + i, Math.min(PART, length - i));
    }
    return (float) sum;
  }

  /** Two sums under way at a time, since an addition takes several cycles. */
  private static float partSum(MemorySegment x, long at, long length) {
    FloatVector even = FloatVector.zero(SPECIES);
    FloatVector odd = FloatVector.zero(SPECIES);
    long pairs = length - length % (2L * LANES);
    long whole = length - length % LANES;
    for (long i = 0; i < pairs; i += 2L * LANES) {
      even = even.add(load(x, at + i));
      odd = odd.add(load(x, at + i + LANES));
    }
    // A vector that differs after a branch would be an object, so each branch has its own return.
    if (pairs == length) {
      return LaneSum.of(even.add(odd));
    }
    FloatVector one = load(x, at + pairs, SPECIES.indexInRange(pairs, whole));
    return LaneSum.of(even.add(one).add(odd.add(load(x, at + whole, SPECIES.indexInRange(whole, length)))));
  }

  /** The mean of elements that lie behind one another: many equal ones, too, have it but for rounding. */
  public static float mean(MemorySegment x, long at, long length) {
    double sum = 0;
    for (long i = 0; i < length; i += PART) {
      sum += partSum(x, at + i, Math.min(PART, length - i));
    }
    return (float) (sum / length);
  }

  /** The mean of the squares of distances from {@code mean}. */
  public static float variance(MemorySegment x, long at, long length, float mean) {
    double sum = 0;
    for (long i = 0; i < length; i += PART) {
      sum += partSquares(x, at + i, Math.min(PART, length - i), mean);
    }
    return (float) (sum / length);
  }

  /** Sum of the squares of distances from {@code mean}, which is added up in parts. */
  public static float squares(MemorySegment x, long at, long length, float mean) {
    if (length <= PART) {
      return partSquares(x, at, length, mean);
    }
    double sum = 0;
    for (long i = 0; i < length; i += PART) {
      sum += partSquares(x, at + i, Math.min(PART, length - i), mean);
    }
    return (float) sum;
  }

  private static float partSquares(MemorySegment x, long at, long length, float mean) {
    FloatVector centre = FloatVector.broadcast(SPECIES, mean);
    FloatVector even = FloatVector.zero(SPECIES);
    FloatVector odd = FloatVector.zero(SPECIES);
    long pairs = length - length % (2L * LANES);
    long whole = length - length % LANES;
    for (long i = 0; i < pairs; i += 2L * LANES) {
      FloatVector one = load(x, at + i).sub(centre);
      FloatVector two = load(x, at + i + LANES).sub(centre);
      even = one.fma(one, even);
      odd = two.fma(two, odd);
    }
    if (pairs == length) {
      return LaneSum.of(even.add(odd));
    }
    VectorMask<Float> first = SPECIES.indexInRange(pairs, whole);
    FloatVector one = VectorMath.ZERO.blend(load(x, at + pairs, first).sub(centre), first);
    VectorMask<Float> second = SPECIES.indexInRange(whole, length);
    FloatVector two = VectorMath.ZERO.blend(load(x, at + whole, second).sub(centre), second);
    return LaneSum.of(one.fma(one, even).add(two.fma(two, odd)));
  }

  /** The greatest element, or NaN where there is one; minus infinity of an empty row. */
  public static float max(MemorySegment x, long at, long length) {
    FloatVector most = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      most = most.max(load(x, at + i));
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      return greatestLane(most.max(LEAST.blend(load(x, at + whole, rest), rest)));
    }
    return greatestLane(most);
  }

  /**
   * The greatest lane, or NaN where there is one. Whole numbers in the same order are compared, since {@code
   * reduceLanes} looks for NaN in each of its steps.
   */
  public static float greatestLane(FloatVector x) {
    IntVector bits = x.reinterpretAsInts();
    IntVector keys = bits.lanewise(VectorOperators.XOR, bits.lanewise(VectorOperators.ASHR, 31).and(Integer.MAX_VALUE));
    int key = keys.blend(Integer.MAX_VALUE, x.test(VectorOperators.IS_NAN).cast(INTS)).reduceLanes(VectorOperators.MAX);
    return Float.intBitsToFloat(key ^ ((key >> 31) & Integer.MAX_VALUE));
  }

  /** Whether no element is infinite or NaN. */
  public static boolean isFinite(MemorySegment x, Row row) {
    FloatVector nothing = FloatVector.zero(SPECIES);
    long at = row.at();
    long length = row.length();
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      nothing = load(x, at + i).fma(VectorMath.ZERO, nothing);
    }
    if (whole < length) {
      return load(x, at + whole, SPECIES.indexInRange(whole, length)).fma(VectorMath.ZERO, nothing).reduceLanes(
        VectorOperators.ADD) == 0;
    }
    return nothing.reduceLanes(VectorOperators.ADD) == 0;
  }

  /** Writes {@code x * factor + offset}. */
  public static void scale(MemorySegment x, MemorySegment y, Row row, float factor, float offset) {
    FloatVector a = FloatVector.broadcast(SPECIES, factor);
    FloatVector b = FloatVector.broadcast(SPECIES, offset);
    long at = row.at();
    long length = row.length();
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      store(load(x, at + i).fma(a, b), y, at + i);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      store(load(x, at + whole, rest).fma(a, b), y, at + whole, rest);
    }
  }

  public static FloatVector load(MemorySegment from, long at) {
    return FloatVector.fromMemorySegment(SPECIES, from, at * Float.BYTES, ORDER);
  }

  public static FloatVector load(MemorySegment from, long at, VectorMask<Float> mask) {
    return FloatVector.fromMemorySegment(SPECIES, from, at * Float.BYTES, ORDER, mask);
  }

  public static void store(FloatVector value, MemorySegment to, long at) {
    value.intoMemorySegment(to, at * Float.BYTES, ORDER);
  }

  public static void store(FloatVector value, MemorySegment to, long at, VectorMask<Float> mask) {
    value.intoMemorySegment(to, at * Float.BYTES, ORDER, mask);
  }

  /** Neighbouring elements. */
  public record Row(long at, long length) {}
}
