package dev.cairn.kernels.cpu.vector;

import static dev.cairn.kernels.cpu.vector.RegisterTile.COLUMNS;
import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/** Packs panels of a matrix that lies in memory, row by row or, transposed, column by column. */
final class MatrixPanels {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long ROW_BYTES = (long) COLUMNS * Float.BYTES;

  private MatrixPanels() {}

  /**
   * Packs {@code depth} rows of up to {@link RegisterTile#COLUMNS} adjacent columns.
   *
   * @param start the first element, in bytes
   * @param rowBytes from one row to the next
   * @param columns how many columns there are; zeros follow
   */
  static void packRows(MemorySegment matrix, long start, long rowBytes, Extent extent, MemorySegment target,
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

  /** As {@link #packRows}, of a matrix whose columns are dense and {@code columnBytes} apart. */
  static void packColumns(MemorySegment matrix, long start, long columnBytes, Extent extent, MemorySegment target,
    long targetStart) {
    int columns = Math.min(COLUMNS, extent.columns);
    for (int k = 0; k < extent.depth; k++) {
      long to = targetStart + k * ROW_BYTES;
      long from = start + (long) k * Float.BYTES;
      for (int j = 0; j < columns; j++) {
        target.set(FLOAT, to + (long) j * Float.BYTES, matrix.get(FLOAT, from + j * columnBytes));
      }
      for (int j = columns; j < COLUMNS; j++) {
        target.set(FLOAT, to + (long) j * Float.BYTES, 0);
      }
    }
  }

  /** How much of a matrix a panel takes: rows, and columns that are left from its first on. */
  record Extent(int depth, int columns) {
  }
}
