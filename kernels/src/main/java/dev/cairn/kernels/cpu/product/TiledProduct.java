package dev.cairn.kernels.cpu.product;

import static dev.cairn.kernels.cpu.vector.RegisterTile.COLUMNS;
import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.ROWS;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.product.TiledOperands.Depths;
import dev.cairn.kernels.cpu.team.SlicedTasks;
import dev.cairn.kernels.cpu.vector.RegisterTile;
import java.lang.foreign.MemorySegment;

/**
 * Multiplies matrices: {@code output = start + left * right}. A task is some rows of some panels of one product; it
 * packs a block of the panels' depth at a time, which then stays in the second-level cache while all rows of the task
 * go by.
 *
 * <pre> slice: | up to {@link #PANELS} packed panels | the sums of a tile | spare, for packing | </pre>
 *
 * How much a task takes depends on the number of threads, but each element is summed by ascending depth whatever task
 * it is in.
 */
public final class TiledProduct {
  /** The most panels that a task packs at once. */
  static final int PANELS = 4;
  /** The depth that is packed at once, when nothing asks for another: with it a panel fits the first-level cache. */
  public static final int DEPTH_BLOCK = 256;

  private static final int TASKS_PER_THREAD = 4;
  private static final int LEAST_ROWS = 8 * ROWS;
  private static final long SMALL_TERMS = 1 << 18;

  /**
   * @param count how many products
   * @param depth terms of each element
   * @param depthBlock the depth that is packed at once
   */
  public record Size(int count, int rows, int columns, int depth, int depthBlock) {
    long sliceBytes() {
      return spareStart() + MatrixPanels.SPARE_BYTES;
    }

    long sumsStart() {
      return Math.min(PANELS, panels()) * panelBytes();
    }

    /** Where a slice has {@link MatrixPanels#SPARE_BYTES} for packing. */
    public long spareStart() {
      return sumsStart() + RegisterTile.SUMS_BYTES;
    }

    long panelBytes() {
      return (long) Math.min(depth, depthBlock) * COLUMNS * Float.BYTES;
    }

    int panels() {
      return Math.ceilDiv(columns, COLUMNS);
    }

    /** Whether one thread computes all. */
    boolean isSmall() {
      return (long) count * rows * columns * depth < SMALL_TERMS;
    }
  }

  private final Size size;
  private final TiledOperands operands;
  private final int panelsPerTask;
  private final int rowsPerTask;

  private TiledProduct(Size size, TiledOperands operands, int threads) {
    this.size = size;
    this.operands = operands;
    long wanted = threads == 1 ? 1 : (long) TASKS_PER_THREAD * threads;
    long all = (long) size.count * size.panels();
    panelsPerTask = Math.clamp(all / wanted, 1, PANELS);
    long tasks = (long) size.count * Math.ceilDiv(size.panels(), panelsPerTask);
    int parts = Math.clamp(wanted / tasks, 1, Math.max(1, size.rows / LEAST_ROWS));
    rowsPerTask = Math.ceilDiv(Math.ceilDiv(size.rows, parts), ROWS) * ROWS;
  }

  /** The workspace that {@link #run} needs for products of this size. */
  public static long workspaceBytes(Size size) {
    return size.isSmall() ? size.sliceBytes() : SlicedTasks.workspaceBytes(size.sliceBytes());
  }

  /** Computes all products, in the call's workspace and on its stream. */
  public static void run(KernelCall call, Size size, TiledOperands operands) {
    if (size.count == 0 || size.rows == 0 || size.columns == 0) {
      return;
    }
    boolean small = size.isSmall();
    var product = new TiledProduct(size, operands, small ? 1 : SlicedTasks.threads(call));
    SlicedTasks.run(call, product.tasks(), size.sliceBytes(), small, product::runTask);
  }

  private long tasks() {
    return (long) size.count * rowParts() * panelParts();
  }

  private int rowParts() {
    return Math.ceilDiv(size.rows, rowsPerTask);
  }

  private int panelParts() {
    return Math.ceilDiv(size.panels(), panelsPerTask);
  }

  private void runTask(long task, MemorySegment slice) {
    long rest = task / rowParts();
    int firstRow = (int) (task % rowParts()) * rowsPerTask;
    int firstPanel = (int) (rest % panelParts()) * panelsPerTask;
    int product = (int) (rest / panelParts());
    int endPanel = Math.min(size.panels(), firstPanel + panelsPerTask);
    var tile = new RegisterTile(operands.left(), operands.leftRowBytes(), slice, size.sumsStart());
    int first = 0;
    do {
      var depths = new Depths(first, Math.min(size.depth, first + size.depthBlock));
      for (int panel = firstPanel; panel < endPanel; panel++) {
        operands.pack(product, panel * COLUMNS, depths, slice, (panel - firstPanel) * size.panelBytes());
      }
      for (int row = firstRow; row < Math.min(size.rows, firstRow + rowsPerTask); row += ROWS) {
        int rows = Math.min(ROWS, size.rows - row);
        tile.left(operands.leftStart(product) + row * operands.leftRowBytes() + (long) first * Float.BYTES, rows,
          depths.count());
        for (int panel = firstPanel; panel < endPanel; panel++) {
          var place = new Place(product, row, rows, panel * COLUMNS);
          add(tile, place, first == 0, slice, (panel - firstPanel) * size.panelBytes());
        }
      }
      first = depths.end();
    } while (first < size.depth);
  }

  /** Where a tile lies in the output. */
  private record Place(int product, int row, int rows, int column) {}

  private void add(RegisterTile tile, Place place, boolean sets, MemorySegment slice, long panelStart) {
    int columns = Math.min(COLUMNS, size.columns - place.column);
    if (columns > LANES) {
      tile.multiplyWide(slice, panelStart);
    } else {
      tile.multiplyNarrow(slice, panelStart);
    }
    long at = operands.outputStart(place.product) + (long) place.column * Float.BYTES;
    for (int i = 0; i < place.rows; i++) {
      int row = place.row + i;
      long rowStart = at + (long) row * size.columns * Float.BYTES;
      if (operands.areWhole()) {
        tile.addWholeTo(operands.output(), rowStart, i, columns, sets);
      } else {
        float start = sets ? operands.start(place.product, row) : 0;
        tile.addTo(operands.output(), rowStart, i, columns, sets, start);
      }
    }
  }
}
