package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.BlockedWeights;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code MatMulNBits(a, weights, scales, zeros?, order?, bias?)} of com.microsoft: a real left matrix times quantised
 * weights. Each weight is {@code (number - zero) * scale}, rounded to {@code float32}; sums are in {@code double}.
 */
public final class CpuBlockedMatmul implements Kernel {
  /** The index of the bias. */
  public static final int BIAS = 5;

  private static final int WEIGHTS = 1;
  private static final int SCALES = 2;
  private static final int ZEROS = 3;

  @Override
  public void run(KernelCall call) {
    BlockedWeights weights = BlockedWeights.of(call.attributes());
    CpuStream.of(call).parallel(weights.columns(), 1, (first, end) -> {
      double[] column = new double[weights.depth()];
      double[] row = new double[weights.depth()];
      double[] sum = new double[1];
      for (int j = (int) first; j < end; j++) {
        read(call, weights, j, column);
        long rows = call.input(0).elementCount() / weights.depth();
        for (long i = 0; i < rows; i++) {
          Elements.read(call.input(0), i * row.length, row, row.length);
          sum[0] = call.has(BIAS) ? call.input(BIAS).doubleAt(j) : 0;
          for (int k = 0; k < row.length; k++) {
            sum[0] += row[k] * column[k];
          }
          Elements.write(sum, call.output(0), i * weights.columns() + j, 1);
        }
      }
    });
  }

  private static void read(KernelCall call, BlockedWeights weights, int column, double[] to) {
    DType dtype = weights.dtype();
    long start = column * weights.columnBytes() * dtype.perByte();
    for (int k = 0; k < to.length; k++) {
      int block = k / weights.block();
      int code = NarrowElements.code(dtype, call.input(WEIGHTS).segment(), start + k);
      to[k] = (code - zero(call, weights, column, block)) * scale(call, weights, column, block);
    }
  }

  /** The scale of a block of a column. */
  public static float scale(KernelCall call, BlockedWeights weights, int column, int block) {
    return (float) call.input(SCALES).doubleAt((long) column * weights.blocks() + block);
  }

  /** The zero point of a block of a column. */
  public static float zero(KernelCall call, BlockedWeights weights, int column, int block) {
    if (!call.has(ZEROS)) {
      return weights.middle();
    }
    TensorView zeros = call.input(ZEROS);
    DType dtype = weights.dtype();
    return zeros.dtype() == DType.UINT8
      ? NarrowElements.code(dtype, zeros.segment(), column * weights.zeroBytes() * dtype.perByte() + block)
      : (float) zeros.doubleAt((long) column * weights.blocks() + block);
  }
}
