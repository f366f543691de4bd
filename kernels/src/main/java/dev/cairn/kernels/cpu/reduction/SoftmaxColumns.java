package dev.cairn.kernels.cpu.reduction;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.cpu.vector.VectorLogarithm;
import dev.cairn.kernels.cpu.vector.VectorMath;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Lines side by side, at most as many as a vector has lanes: each lane computes one of them from its first element to
 * its last.
 *
 * @param at the first element of the first line
 * @param length elements of a line
 * @param stride how far apart neighbours of a line are
 * @param width how many lines there are
 */
record SoftmaxColumns(long at, long length, long stride, long width) {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  /** Terms that are added up before their sum is added to that of the terms before: long sums keep their digits. */
  private static final long TERMS = 64;

  /** {@code e^(x - max) / sum of e^(x - max)}. */
  static void normalize(MemorySegment x, MemorySegment y, SoftmaxColumns lines) {
    VectorMask<Float> mask = SPECIES.indexInRange(0, lines.width);
    FloatVector most = lines.greatest(x, mask);
    FloatVector factor = VectorMath.ONE.div(lines.exponentials(x, y, most, mask));
    for (long i = 0; i < lines.length; i++) {
      long place = lines.at + i * lines.stride;
      store(load(y, place, mask).mul(factor), y, place, mask);
    }
  }

  /** {@code x - max - log(sum of e^(x - max))}. */
  static void logarithms(MemorySegment x, MemorySegment y, SoftmaxColumns lines) {
    VectorMask<Float> mask = SPECIES.indexInRange(0, lines.width);
    FloatVector most = lines.greatest(x, mask);
    FloatVector logarithm = VectorLogarithm.log(lines.sumOfExponentials(x, most, mask));
    for (long i = 0; i < lines.length; i++) {
      long place = lines.at + i * lines.stride;
      store(load(x, place, mask).sub(most).sub(logarithm), y, place, mask);
    }
  }

  private FloatVector greatest(MemorySegment x, VectorMask<Float> mask) {
    FloatVector most = load(x, at, mask);
    for (long i = 1; i < length; i++) {
      most = most.max(load(x, at + i * stride, mask));
    }
    return most;
  }

  /** Writes {@code e^(x - most)} and gives the sums. */
  private FloatVector exponentials(MemorySegment x, MemorySegment y, FloatVector most, VectorMask<Float> mask) {
    FloatVector total = FloatVector.zero(SPECIES);
    for (long first = 0; first < length; first += TERMS) {
      FloatVector sum = FloatVector.zero(SPECIES);
      for (long i = first; i < Math.min(length, first + TERMS); i++) {
        FloatVector e = VectorMath.expOfNegative(load(x, at + i * stride, mask).sub(most));
        store(e, y, at + i * stride, mask);
        sum = sum.add(e);
      }
      total = total.add(sum);
    }
    return total;
  }

  private FloatVector sumOfExponentials(MemorySegment x, FloatVector most, VectorMask<Float> mask) {
    FloatVector total = FloatVector.zero(SPECIES);
    for (long first = 0; first < length; first += TERMS) {
      FloatVector sum = FloatVector.zero(SPECIES);
      for (long i = first; i < Math.min(length, first + TERMS); i++) {
        sum = sum.add(VectorMath.expOfNegative(load(x, at + i * stride, mask).sub(most)));
      }
      total = total.add(sum);
    }
    return total;
  }
}
