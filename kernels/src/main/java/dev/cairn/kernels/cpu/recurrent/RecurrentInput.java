package dev.cairn.kernels.cpu.recurrent;

import static dev.cairn.kernels.cpu.vector.RegisterTile.COLUMNS;
import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.cpu.product.TiledOperands;
import dev.cairn.kernels.cpu.product.TiledProduct;
import dev.cairn.kernels.cpu.product.TiledProduct.Size;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/**
 * The terms that the inputs of all steps add to the gates of a recurrent network: one product for each direction, into
 * the sums of {@link RecurrentMemory}.
 *
 * @param left the input, row by row
 * @param panels the packed weights W of all directions
 * @param output the workspace
 */
record RecurrentInput(RecurrentMemory memory, MemorySegment left, MemorySegment panels, MemorySegment output)
  implements
    TiledOperands {
  /** Up to so many rows, a tile would mostly repeat the last one. */
  private static final int FEW_ROWS = 3;

  /** Whether rows are multiplied one by one, and not in tiles. */
  static boolean isFlat(RecurrentMemory memory) {
    return memory.inputRows() <= FEW_ROWS;
  }

  /** The size of the products, whose columns are gates filled up to whole vectors. */
  static Size size(RecurrentMemory memory) {
    RecurrentNetwork network = memory.network();
    return new Size(network.directions(), memory.inputRows(), (int) (memory.gateBytes() / Float.BYTES), network.input(),
      TiledProduct.DEPTH_BLOCK);
  }

  @Override
  public long leftRowBytes() {
    return (long) memory.network().input() * Float.BYTES;
  }

  @Override
  public long leftStart(int product) {
    return 0;
  }

  @Override
  public long outputStart(int product) {
    return memory.sumStart(product);
  }

  @Override
  public float start(int product, int row) {
    return 0;
  }

  /** Puts two packed blocks side by side. A tile does not read the second one where there is none. */
  @Override
  public void pack(int product, int column, Depths depths, MemorySegment target, long targetStart) {
    long panel = RecurrentPanels.panelBytes(memory.network().input());
    long blocks = memory.gateBytes() / RecurrentBlock.BYTES;
    long at = (product * blocks + column / LANES) * panel + depths.first() * RecurrentBlock.BYTES;
    copy(at, depths.count(), target, targetStart);
    if (column / LANES + 1 < blocks) {
      copy(at + panel, depths.count(), target, targetStart + RecurrentBlock.BYTES);
    }
  }

  private void copy(long at, int rows, MemorySegment target, long targetStart) {
    ByteOrder order = ByteOrder.nativeOrder();
    for (int k = 0; k < rows; k++) {
      FloatVector.fromMemorySegment(SPECIES, panels, at + k * RecurrentBlock.BYTES, order).intoMemorySegment(target,
        targetStart + (long) k * COLUMNS * Float.BYTES, order);
    }
  }
}
