package dev.cairn.kernels.cpu.product;

import static dev.cairn.kernels.cpu.vector.RegisterTile.COLUMNS;
import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.cpu.product.MatrixVector.Rows;
import dev.cairn.kernels.cpu.vector.RegisterTile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/** Packs panels of a matrix that lies in memory, row by row or, transposed, column by column. */
public final class MatrixPanels {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long ROW_BYTES = (long) COLUMNS * Float.BYTES;

  /** Scratch memory that turning a block takes. */
  public static final long SPARE_BYTES = LANES * ROW_BYTES;

  /** From one column to the next in that memory. */
  public static final long SPARE_COLUMN_BYTES = ROW_BYTES / 2;

  private MatrixPanels() {}

  /**
   * Packs {@code depth} rows of up to {@link RegisterTile#COLUMNS} adjacent columns.
   *
   * @param start the first element, in bytes
   * @param rowBytes from one row to the next
   * @param extent the rows to pack, and how many columns there are; zeros follow
   */
  public static void packRows(MemorySegment matrix, long start, long rowBytes, Extent extent, MemorySegment target,
    long targetStart) {
    if (extent.columns >= COLUMNS) {
      for (int k = 0; k < extent.depth; k++) {
        long from = start + k * rowBytes;
        long to = targetStart + k * ROW_BYTES;
        FloatVector.fromMemorySegment(SPECIES, matrix, from, ORDER).intoMemorySegment(target, to, ORDER);
        FloatVector.fromMemorySegment(SPECIES, matrix, from + ROW_BYTES / 2, ORDER)
          .intoMemorySegment(target, to + ROW_BYTES / 2, ORDER);
      }
      return;
    }
    var first = SPECIES.indexInRange(0, extent.columns);
    var second = SPECIES.indexInRange(LANES, Math.max(LANES, extent.columns));
    for (int k = 0; k < extent.depth; k++) {
      long from = start + k * rowBytes;
      long to = targetStart + k * ROW_BYTES;
      FloatVector.fromMemorySegment(SPECIES, matrix, from, ORDER, first).intoMemorySegment(target, to, ORDER);
      FloatVector.fromMemorySegment(SPECIES, matrix, from + ROW_BYTES / 2, ORDER, second)
        .intoMemorySegment(target, to + ROW_BYTES / 2, ORDER);
    }
  }

  /**
   * Like {@link #packRows}, of a matrix whose columns are dense and {@code columnBytes} apart. A block of a vector's
   * depth is first read column by column, whole cache lines at a time, into the {@link #SPARE_BYTES} that must follow
   * the panel's place at {@code spare}: columns are often a power of two apart, and fall onto the same lines of the
   * cache.
   */
  public static void packColumns(Rows columns, Extent extent, MemorySegment target, long targetStart, long spare) {
    int count = Math.min(COLUMNS, extent.columns);
    for (int first = 0; first < extent.depth; first += LANES) {
      VectorMask<Float> mask = SPECIES.indexInRange(first, extent.depth);
      for (int j = 0; j < count; j++) {
        FloatVector
          .fromMemorySegment(SPECIES, columns.segment(), columns.row(j) + (long) first * Float.BYTES, ORDER, mask)
          .intoMemorySegment(target, spare + j * (ROW_BYTES / 2), ORDER);
      }
      turn(target, spare, targetStart + first * ROW_BYTES, Math.min(LANES, extent.depth - first), count);
    }
  }

  /** Turns a block whose columns lie {@link #SPARE_COLUMN_BYTES} apart at {@code spare}. */
  public static void turn(MemorySegment target, long spare, long to, int depth, int count) {
    for (int k = 0; k < depth; k++) {
      long row = to + k * ROW_BYTES;
      long from = spare + (long) k * Float.BYTES;
      for (int j = 0; j < count; j++) {
        target.set(FLOAT, row + (long) j * Float.BYTES, target.get(FLOAT, from + j * (ROW_BYTES / 2)));
      }
      for (int j = count; j < COLUMNS; j++) {
        target.set(FLOAT, row + (long) j * Float.BYTES, 0);
      }
    }
  }

  /** How much of a matrix a panel takes: rows, and columns that are left from its first on. */
  public record Extent(int depth, int columns) {}
}
