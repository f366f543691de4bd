package dev.cairn.kernels.cpu.vector;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The innermost loop of matrix multiplication: a tile of {@link #ROWS} rows and one or two vectors of columns stays in
 * registers while the depth goes by. With two vectors that takes 12 sums, 2 vectors of B and 1 of A: it fits 16
 * registers as well as 32, and 12 independent sums hide the latency of the multiply-add.
 *
 * <pre>        B panel, packed: depth rows of {@link #COLUMNS}
 *          [ b0 | b1 ]
 *   A  a0  [ c00| c01]
 *      ..      ..
 *      a5  [ c50| c51]  sums </pre>
 *
 * Sums are by ascending depth, so the result does not depend on how an output is cut into tiles. The loops call nothing
 * but the Vector API itself, and leave their sums in memory for {@link #addTo}: any more, and the compiler stops
 * inlining in the midst of it and allocates each vector. One thread uses a tile.
 */
public final class RegisterTile {
  public static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  public static final int LANES = SPECIES.length();
  /** Rows of a tile. */
  public static final int ROWS = 6;
  /** Columns of a tile, and of a packed panel of B. */
  public static final int COLUMNS = 2 * LANES;
  /** Bytes that a tile needs for its sums. */
  public static final long SUMS_BYTES = (long) ROWS * COLUMNS * Float.BYTES;

  private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, SPECIES.vectorShape());
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  /** Bytes of a vector, and of a packed row. */
  private static final long VB = (long) LANES * Float.BYTES;
  private static final long PACKED = 2 * VB;

  private final MemorySegment left;
  private final long rowBytes;
  private final MemorySegment sums;
  private final long sumsStart;
  private long leftStart;
  private int rows;
  private int depth;

  /**
   * @param left holds the rows of A, each dense along the depth
   * @param rowBytes from one row of A to the next
   * @param sums has {@link #SUMS_BYTES} for this tile at {@code sumsStart}
   */
  public RegisterTile(MemorySegment left, long rowBytes, MemorySegment sums, long sumsStart) {
    this.left = left;
    this.rowBytes = rowBytes;
    this.sums = sums;
    this.sumsStart = sumsStart;
  }

  /**
   * Sets the rows of A and the terms of each. With fewer than {@link #ROWS}, the last row stands for the missing rows.
   */
  public void left(long startBytes, int rowCount, int terms) {
    leftStart = startBytes;
    rows = rowCount;
    depth = terms;
  }

  private long row(int row) {
    return leftStart + Math.min(row, rows - 1) * rowBytes;
  }

  /** Multiplies over two vectors of columns. */
  public void multiplyWide(MemorySegment b, long bStart) {
    long a0 = row(0), a1 = row(1), a2 = row(2), a3 = row(3), a4 = row(4), a5 = row(5);
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero, c01 = zero, c10 = zero, c11 = zero, c20 = zero, c21 = zero;
    FloatVector c30 = zero, c31 = zero, c40 = zero, c41 = zero, c50 = zero, c51 = zero;
    for (int k = 0; k < depth; k++) {
      FloatVector b0 = FloatVector.fromMemorySegment(SPECIES, b, bStart + k * PACKED, ORDER);
      FloatVector b1 = FloatVector.fromMemorySegment(SPECIES, b, bStart + k * PACKED + VB, ORDER);
      FloatVector x = FloatVector.broadcast(SPECIES, left.get(FLOAT, a0 + 4L * k));
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      x = FloatVector.broadcast(SPECIES, left.get(FLOAT, a1 + 4L * k));
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      x = FloatVector.broadcast(SPECIES, left.get(FLOAT, a2 + 4L * k));
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      x = FloatVector.broadcast(SPECIES, left.get(FLOAT, a3 + 4L * k));
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
      x = FloatVector.broadcast(SPECIES, left.get(FLOAT, a4 + 4L * k));
      c40 = x.fma(b0, c40);
      c41 = x.fma(b1, c41);
      x = FloatVector.broadcast(SPECIES, left.get(FLOAT, a5 + 4L * k));
      c50 = x.fma(b0, c50);
      c51 = x.fma(b1, c51);
    }
    c00.intoMemorySegment(sums, sumsStart, ORDER);
    c01.intoMemorySegment(sums, sumsStart + VB, ORDER);
    c10.intoMemorySegment(sums, sumsStart + PACKED, ORDER);
    c11.intoMemorySegment(sums, sumsStart + PACKED + VB, ORDER);
    c20.intoMemorySegment(sums, sumsStart + 2 * PACKED, ORDER);
    c21.intoMemorySegment(sums, sumsStart + 2 * PACKED + VB, ORDER);
    c30.intoMemorySegment(sums, sumsStart + 3 * PACKED, ORDER);
    c31.intoMemorySegment(sums, sumsStart + 3 * PACKED + VB, ORDER);
    c40.intoMemorySegment(sums, sumsStart + 4 * PACKED, ORDER);
    c41.intoMemorySegment(sums, sumsStart + 4 * PACKED + VB, ORDER);
    c50.intoMemorySegment(sums, sumsStart + 5 * PACKED, ORDER);
    c51.intoMemorySegment(sums, sumsStart + 5 * PACKED + VB, ORDER);
  }

  /** Multiplies over the first vector of columns alone, where a panel has no more. */
  public void multiplyNarrow(MemorySegment b, long bStart) {
    long a0 = row(0), a1 = row(1), a2 = row(2), a3 = row(3), a4 = row(4), a5 = row(5);
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c0 = zero, c1 = zero, c2 = zero, c3 = zero, c4 = zero, c5 = zero;
    for (int k = 0; k < depth; k++) {
      FloatVector b0 = FloatVector.fromMemorySegment(SPECIES, b, bStart + k * PACKED, ORDER);
      c0 = FloatVector.broadcast(SPECIES, left.get(FLOAT, a0 + 4L * k)).fma(b0, c0);
      c1 = FloatVector.broadcast(SPECIES, left.get(FLOAT, a1 + 4L * k)).fma(b0, c1);
      c2 = FloatVector.broadcast(SPECIES, left.get(FLOAT, a2 + 4L * k)).fma(b0, c2);
      c3 = FloatVector.broadcast(SPECIES, left.get(FLOAT, a3 + 4L * k)).fma(b0, c3);
      c4 = FloatVector.broadcast(SPECIES, left.get(FLOAT, a4 + 4L * k)).fma(b0, c4);
      c5 = FloatVector.broadcast(SPECIES, left.get(FLOAT, a5 + 4L * k)).fma(b0, c5);
    }
    c0.intoMemorySegment(sums, sumsStart, ORDER);
    c1.intoMemorySegment(sums, sumsStart + PACKED, ORDER);
    c2.intoMemorySegment(sums, sumsStart + 2 * PACKED, ORDER);
    c3.intoMemorySegment(sums, sumsStart + 3 * PACKED, ORDER);
    c4.intoMemorySegment(sums, sumsStart + 4 * PACKED, ORDER);
    c5.intoMemorySegment(sums, sumsStart + 5 * PACKED, ORDER);
  }

  /** Adds the sums of a row to {@code columns} elements of an output, or sets these to {@code start} plus the sums. */
  public void addTo(MemorySegment output, long outputStart, int row, int columns, boolean sets, float start) {
    if (columns == COLUMNS) {
      addVector(output, outputStart, row * PACKED, sets, start);
      addVector(output, outputStart + VB, row * PACKED + VB, sets, start);
      return;
    }
    for (int j = 0; j < columns; j += LANES) {
      long at = outputStart + (long) j * Float.BYTES;
      VectorMask<Float> mask = SPECIES.indexInRange(j, columns);
      FloatVector before = sets
        ? FloatVector.broadcast(SPECIES, start)
        : FloatVector.fromMemorySegment(SPECIES, output, at, ORDER, mask);
      FloatVector.fromMemorySegment(SPECIES, sums, sumsStart + row * PACKED + j * 4L, ORDER).add(before)
        .intoMemorySegment(output, at, ORDER, mask);
    }
  }

  /** Adds the sums of a row, which are whole numbers, to {@code int32} elements of an output, or sets these to them. */
  public void addWholeTo(MemorySegment output, long outputStart, int row, int columns, boolean sets) {
    for (int j = 0; j < columns; j += LANES) {
      long at = outputStart + (long) j * Integer.BYTES;
      IntVector whole = (IntVector) FloatVector.fromMemorySegment(SPECIES, sums, sumsStart + row * PACKED + j * 4L,
        ORDER).convertShape(VectorOperators.F2I, INTS, 0);
      if (j + LANES <= columns) {
        (sets ? whole : whole.add(IntVector.fromMemorySegment(INTS, output, at, ORDER))).intoMemorySegment(output, at,
          ORDER);
      } else {
        VectorMask<Integer> mask = INTS.indexInRange(j, columns);
        (sets ? whole : whole.add(IntVector.fromMemorySegment(INTS, output, at, ORDER, mask))).intoMemorySegment(output,
          at, ORDER, mask);
      }
    }
  }

  private void addVector(MemorySegment output, long at, long sum, boolean sets, float start) {
    FloatVector before = sets
      ? FloatVector.broadcast(SPECIES, start)
      : FloatVector.fromMemorySegment(SPECIES, output, at, ORDER);
    FloatVector.fromMemorySegment(SPECIES, sums, sumsStart + sum, ORDER).add(before)
      .intoMemorySegment(output, at, ORDER);
  }
}
