package dev.cairn.kernels.cpu.quantized;

import static dev.cairn.kernels.cpu.vector.RegisterTile.COLUMNS;
import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;

import dev.cairn.kernels.attribute.BlockedWeights;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.product.MatrixPanels;
import dev.cairn.kernels.cpu.product.MatrixVector;
import dev.cairn.kernels.cpu.product.MatrixVector.Rows;
import dev.cairn.kernels.cpu.product.TiledOperands;
import dev.cairn.kernels.cpu.product.TiledProduct;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.team.SlicedTasks;
import dev.cairn.kernels.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/**
 * {@code MatMulNBits} for {@code float32} with weights of 4 or 8 bits. For a few rows, each task dequantises a few
 * columns and multiplies them while they are in the cache; for more, weights are dequantised while they are packed.
 *
 * <pre> workspace: | slices of the tasks | the left matrix, in the order of the weights, its rows padded | </pre>
 *
 * Of 4-bit weights a vector of bytes gives two vectors: the low halves, then the high ones. The left matrix is put into
 * that order, so that weights need not be.
 */
public final class VectorBlockedMatmul implements Kernel {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int FEW_ROWS = 8;
  /** Columns that are dequantised at once. */
  private static final int ABREAST = 4;
  /** Columns of a task: the results of a task fill cache lines. */
  private static final int TASK_COLUMNS = 16;
  private static final long GRAIN = 1 << 14;

  @Override
  public boolean accepts(KernelSignature signature) {
    BlockedWeights weights = BlockedWeights.of(signature.attributes());
    int chunk = weights.bits() == 4 ? 2 * LANES : LANES;
    return ByteLanes.EXIST && weights.bits() >= 4 && weights.block() % chunk == 0 && signature.input(2)
      .dtype() == DType.FLOAT32;
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    BlockedWeights weights = BlockedWeights.of(signature.attributes());
    int rows = rows(signature.output(0).shape().elementCount(), weights);
    return leftStart(weights, rows) + (long) rows * weights.paddedDepth() * Float.BYTES;
  }

  private static int rows(long results, BlockedWeights weights) {
    return Math.toIntExact(results / weights.columns());
  }

  /** Slices are as large for a few rows as for many, so that smaller calls fit. */
  private static long leftStart(BlockedWeights weights, int rows) {
    return Math.max(TiledProduct.workspaceBytes(size(weights, rows)), SlicedTasks.workspaceBytes(columnBytes(weights)
      * ABREAST));
  }

  private static long columnBytes(BlockedWeights weights) {
    return (long) weights.paddedDepth() * Float.BYTES;
  }

  private static TiledProduct.Size size(BlockedWeights weights, int rows) {
    return new TiledProduct.Size(1, rows, weights.columns(), weights.paddedDepth(), TiledProduct.DEPTH_BLOCK);
  }

  @Override
  public void run(KernelCall call) {
    BlockedWeights weights = BlockedWeights.of(call.attributes());
    int rows = rows(call.output(0).elementCount(), weights);
    MemorySegment left = call.workspace().asSlice(leftStart(weights, rows));
    var operands = new Operands(call, weights, left, size(weights, rows));
    CpuStream.of(call).parallel(rows, Math.ceilDiv(GRAIN, weights.depth()), operands::order);
    if (rows <= FEW_ROWS) {
      boolean isSmall = (long) weights.columns() * weights.depth() < GRAIN;
      SlicedTasks.run(call, Math.ceilDiv(weights.columns(), TASK_COLUMNS), columnBytes(weights) * ABREAST, isSmall,
        (task, slice) -> operands.multiply((int) task * TASK_COLUMNS, rows, slice));
    } else {
      TiledProduct.run(call, size(weights, rows), operands);
    }
    if (call.has(CpuBlockedMatmul.BIAS)) {
      CpuStream.of(call).parallel(rows, Math.ceilDiv(GRAIN, weights.columns()), (first, end) -> addBias(call, weights
        .columns(), first, end));
    }
  }

  private static void addBias(KernelCall call, int columns, long first, long end) {
    MemorySegment bias = call.input(CpuBlockedMatmul.BIAS).segment();
    MemorySegment y = call.output(0).segment();
    for (long row = first; row < end; row++) {
      for (int j = 0; j < columns; j++) {
        long at = (row * columns + j) * Float.BYTES;
        y.set(FLOAT, at, y.get(FLOAT, at) + bias.get(FLOAT, (long) j * Float.BYTES));
      }
    }
  }

  private record Operands(KernelCall call, BlockedWeights weights, MemorySegment left,
    TiledProduct.Size size) implements TiledOperands {
    private boolean isHalved() {
      return weights.bits() == 4;
    }

    /** Puts rows of the left matrix into the order of the weights, with zeros behind the last element. */
    void order(long first, long end) {
      MemorySegment a = call.input(0).segment();
      int depth = weights.depth();
      int padded = weights.paddedDepth();
      for (long row = first; row < end; row++) {
        for (int k = 0; k < padded; k++) {
          long value = row * depth + k;
          left.set(FLOAT, (row * padded + place(k)) * Float.BYTES, k < depth ? a.get(FLOAT, value * Float.BYTES) : 0);
        }
      }
    }

    private int place(int k) {
      int inChunk = k % (2 * LANES);
      return isHalved() ? k - inChunk + inChunk % 2 * LANES + inChunk / 2 : k;
    }

    /** Multiplies all rows with the columns of a task. */
    void multiply(int firstColumn, int rows, MemorySegment slice) {
      int end = Math.min(weights.columns(), firstColumn + TASK_COLUMNS);
      var matrix = new Rows(slice, 0, columnBytes(weights));
      for (int column = firstColumn; column < end; column += ABREAST) {
        int count = Math.min(ABREAST, end - column);
        for (int j = 0; j < count; j++) {
          dequantize(column + j, slice, matrix.row(j));
        }
        for (int row = 0; row < rows; row++) {
          long at = ((long) row * weights.columns() + column) * Float.BYTES;
          MatrixVector.dots(matrix, new Rows(left, leftRowBytes() * row, 0), new Rows(output(), at, Float.BYTES), count,
            weights.paddedDepth());
        }
      }
    }

    private void dequantize(int column, MemorySegment to, long start) {
      long from = column * weights.columnBytes();
      long at = start;
      MemorySegment scales = call.input(2).segment();
      long firstScale = (long) column * weights.blocks();
      for (int block = 0; block < weights.blocks(); block++) {
        float scale = scales.get(FLOAT, (firstScale + block) * Float.BYTES);
        float zero = CpuBlockedMatmul.zero(call, weights, column, block);
        if (isHalved()) {
          ByteLanes.widenHalves(call.input(1).segment(), from, weights.block() / 2, new ByteLanes.Meaning((byte) 0,
            zero, scale), to, at);
        } else {
          ByteLanes.widen(call.input(1).segment(), from, weights.block(), meaning(zero, scale), to, at);
        }
        from += weights.columnBytes() / weights.blocks();
        at += (long) weights.block() * Float.BYTES;
      }
    }

    private static ByteLanes.Meaning meaning(float zero, float scale) {
      return new ByteLanes.Meaning(ByteLanes.turn(DType.UINT8), ByteLanes.zero(DType.UINT8, 0) + zero, scale);
    }

    @Override
    public long leftRowBytes() {
      return columnBytes(weights);
    }

    @Override
    public long leftStart(int product) {
      return 0;
    }

    @Override
    public MemorySegment output() {
      return call.output(0).segment();
    }

    @Override
    public long outputStart(int product) {
      return 0;
    }

    @Override
    public float start(int product, int row) {
      return 0;
    }

    @Override
    public void pack(int product, int column, Depths depths, MemorySegment target, long targetStart) {
      int count = Math.min(COLUMNS, weights.columns() - column);
      for (int k = 0; k < depths.count(); k += LANES) {
        for (int j = 0; j < count; j++) {
          numbers(column + j, depths.first() + k).intoMemorySegment(target,
            size.spareStart() + j * MatrixPanels.SPARE_COLUMN_BYTES, ORDER);
        }
        MatrixPanels.turn(target, size.spareStart(), targetStart + (long) k * COLUMNS * Float.BYTES, LANES, count);
      }
    }

    /** A vector of dequantised weights from a place in their order on. */
    private FloatVector numbers(int column, int place) {
      int block = place / weights.block();
      MemorySegment bytes = call.input(1).segment();
      long start = column * weights.columnBytes();
      FloatVector codes = isHalved()
        ? ByteLanes.half(bytes, start + place / (2 * LANES) * (long) LANES, place / LANES % 2 == 1)
        : ByteLanes.load(bytes, start + place, (byte) 0x80).add(0x80);
      return codes.sub(CpuBlockedMatmul.zero(call, weights, column, block)).mul(CpuBlockedMatmul.scale(call, weights,
        column, block));
    }
  }
}
