package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.cpu.vector.LaneSum;
import dev.cairn.kernels.cpu.vector.RegisterTile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Dot products of {@link #ROWS} rows with {@link #COLUMNS} others, all in one memory and dense: 12 sums stay in
 * registers, and 7 loads serve 12 multiply-adds. The loop leaves the sums of each lane in memory, as {@link
 * RegisterTile} does and for the same reason. One thread uses an object.
 */
final class ShiftedDots {
  static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  static final int LANES = SPECIES.length();
  static final int ROWS = 4;
  static final int COLUMNS = 3;
  private static final long VB = (long) LANES * Float.BYTES;
  /** Bytes that the sums need. */
  static final long SUMS_BYTES = ROWS * COLUMNS * VB;

  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private final MemorySegment memory;
  private final long sumsStart;
  private final long[] rows = new long[ROWS];
  private final long[] columns = new long[COLUMNS];

  /** @param sumsStart where the memory has {@link #SUMS_BYTES} for the sums */
  ShiftedDots(MemorySegment memory, long sumsStart) {
    this.memory = memory;
    this.sumsStart = sumsStart;
  }

  /** The offset of a row, in bytes. */
  void row(int index, long start) {
    rows[index] = start;
  }

  /** The offset of a column, in bytes. */
  void column(int index, long start) {
    columns[index] = start;
  }

  /** Multiplies over so many elements, a multiple of {@link #LANES}. */
  void multiply(int length) {
    long a0 = rows[0], a1 = rows[1], a2 = rows[2], a3 = rows[3];
    long b0 = columns[0], b1 = columns[1], b2 = columns[2];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero, c01 = zero, c02 = zero, c10 = zero, c11 = zero, c12 = zero;
    FloatVector c20 = zero, c21 = zero, c22 = zero, c30 = zero, c31 = zero, c32 = zero;
    int end = Math.multiplyExact(length, Float.BYTES);
    for (int at = 0; at < end; at += LANES * Float.BYTES) {
      FloatVector x0 = FloatVector.fromMemorySegment(SPECIES, memory, b0 + at, ORDER);
      FloatVector x1 = FloatVector.fromMemorySegment(SPECIES, memory, b1 + at, ORDER);
      FloatVector x2 = FloatVector.fromMemorySegment(SPECIES, memory, b2 + at, ORDER);
      FloatVector h = FloatVector.fromMemorySegment(SPECIES, memory, a0 + at, ORDER);
      c00 = h.fma(x0, c00);
      c01 = h.fma(x1, c01);
      c02 = h.fma(x2, c02);
      h = FloatVector.fromMemorySegment(SPECIES, memory, a1 + at, ORDER);
      c10 = h.fma(x0, c10);
      c11 = h.fma(x1, c11);
      c12 = h.fma(x2, c12);
      h = FloatVector.fromMemorySegment(SPECIES, memory, a2 + at, ORDER);
      c20 = h.fma(x0, c20);
      c21 = h.fma(x1, c21);
      c22 = h.fma(x2, c22);
      h = FloatVector.fromMemorySegment(SPECIES, memory, a3 + at, ORDER);
      c30 = h.fma(x0, c30);
      c31 = h.fma(x1, c31);
      c32 = h.fma(x2, c32);
    }
    c00.intoMemorySegment(memory, sumsStart, ORDER);
    c01.intoMemorySegment(memory, sumsStart + VB, ORDER);
    c02.intoMemorySegment(memory, sumsStart + 2 * VB, ORDER);
    c10.intoMemorySegment(memory, sumsStart + 3 * VB, ORDER);
    c11.intoMemorySegment(memory, sumsStart + 4 * VB, ORDER);
    c12.intoMemorySegment(memory, sumsStart + 5 * VB, ORDER);
    c20.intoMemorySegment(memory, sumsStart + 6 * VB, ORDER);
    c21.intoMemorySegment(memory, sumsStart + 7 * VB, ORDER);
    c22.intoMemorySegment(memory, sumsStart + 8 * VB, ORDER);
    c30.intoMemorySegment(memory, sumsStart + 9 * VB, ORDER);
    c31.intoMemorySegment(memory, sumsStart + 10 * VB, ORDER);
    c32.intoMemorySegment(memory, sumsStart + 11 * VB, ORDER);
  }

  /** The product of a row and a column; its lanes are added up in one order. */
  float sum(int row, int column) {
    return LaneSum.of(FloatVector.fromMemorySegment(SPECIES, memory, sumsStart + (row * COLUMNS + column) * VB, ORDER));
  }
}
