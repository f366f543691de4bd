package dev.cairn.kernels.cpu.product;

import dev.cairn.kernels.cpu.vector.RegisterTile;
import java.lang.foreign.MemorySegment;

/**
 * The operands of {@link TiledProduct}: left matrices and outputs that lie in memory row by row, and right matrices
 * that are packed into panels piece by piece, wherever they come from. Products are numbered; all have one size.
 */
public interface TiledOperands {
  MemorySegment left();

  long leftRowBytes();

  /** Whether sums are whole numbers, of which each depth block is added to an output of {@code int32}. */
  default boolean areWhole() {
    return false;
  }

  /** The offset of the left matrix of a product, in bytes. */
  long leftStart(int product);

  MemorySegment output();

  /** The offset of the output of a product, in bytes; its rows are dense and follow each other. */
  long outputStart(int product);

  /** The first value of a row of the output: its bias. */
  float start(int product, int row);

  /**
   * Packs one panel of a right matrix: its rows in {@code depths}, each {@link RegisterTile#COLUMNS} columns from
   * {@code column} on, with zeros after the last column.
   */
  void pack(int product, int column, Depths depths, MemorySegment target, long targetStart);

  /** Some of the terms of a product, half-open. */
  record Depths(int first, int end) {
    public int count() {
      return end - first;
    }
  }
}
