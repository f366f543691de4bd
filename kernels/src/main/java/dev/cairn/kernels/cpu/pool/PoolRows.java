package dev.cairn.kernels.cpu.pool;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.cpu.convolution.ImageWindow;
import dev.cairn.kernels.cpu.convolution.PaddedPlane;
import dev.cairn.kernels.cpu.vector.CompensatedSum;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/** Pools one output row of a padded plane. */
final class PoolRows {
  /** Taps that are added up in {@code float} before their sum is added to that of the taps before. */
  private static final int TAPS = 64;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private final int width;
  private final PaddedPlane plane;
  private final long[] taps;
  private final float[] divisors;

  /** @param divisors what the sums of a row are divided by, in whole vectors; empty for a maximum */
  PoolRows(ImageWindow window, PaddedPlane plane, float[] divisors) {
    this.width = window.outputWidth();
    this.plane = plane;
    this.taps = plane.tapStarts();
    this.divisors = divisors.clone();
  }

  void max(MemorySegment slice, int row, MemorySegment output, long to) {
    long start = plane.rowStart(row);
    for (int x = 0; x < width; x += LANES) {
      FloatVector best = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
      for (int tap = 0; tap < taps.length; tap++) {
        best = best.max(FloatVector.fromMemorySegment(SPECIES, slice, start + taps[tap] + 4L * x, ORDER));
      }
      VectorMask<Float> mask = SPECIES.indexInRange(x, width);
      best.intoMemorySegment(output, to + 4L * x, ORDER, mask);
    }
  }

  /** @param rowDivisor what the sums are divided by besides their columns' divisors; 0 for a row of padding alone */
  void average(MemorySegment slice, int row, MemorySegment output, long to, int rowDivisor) {
    long start = plane.rowStart(row);
    for (int x = 0; x < width; x += LANES) {
      FloatVector total = FloatVector.zero(SPECIES);
      FloatVector excess = total;
      for (int first = 0; first < taps.length; first += TAPS) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int tap = first; tap < Math.min(taps.length, first + TAPS); tap++) {
          sum = sum.add(FloatVector.fromMemorySegment(SPECIES, slice, start + taps[tap] + 4L * x, ORDER));
        }
        FloatVector next = total.add(sum.sub(excess));
        excess = CompensatedSum.excess(total, sum.sub(excess), next);
        total = next;
      }
      // A window of padding alone has a sum of 0 and is divided by 1.
      FloatVector divisor = FloatVector.fromArray(SPECIES, divisors, x).mul(rowDivisor).max(1);
      VectorMask<Float> mask = SPECIES.indexInRange(x, width);
      total.div(divisor).intoMemorySegment(output, to + 4L * x, ORDER, mask);
    }
  }
}
