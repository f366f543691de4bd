package dev.cairn.kernels.cuda.blas;

import dev.cairn.kernels.cuda.ArgumentBlock;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaModule;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.LaunchShape;

/**
 * Products of {@code float} with this library's own kernel, {@code gemm.cu}, for machines without cuBLAS. For one
 * thread at a time; ends with the module.
 */
public final class TiledGemm {
  /** The source it is compiled from. */
  public static final String SOURCE = "gemm.cu";

  private static final int TILE = 64;
  private static final int LARGEST_BATCH = 65_535;

  private final CudaFunction kernel;
  private final ArgumentBlock arguments = new ArgumentBlock(16);

  /** @param module compiled from {@link #SOURCE} */
  public TiledGemm(CudaModule module) {
    this.kernel = module.function("gemm_float");
  }

  /** Whether it can run such a product. */
  public static boolean supports(GemmCall call) {
    boolean floats = call.precision() == GemmPrecision.FLOAT32 || call.precision() == GemmPrecision.TENSOR_FLOAT32;
    return floats && call.batch() <= LARGEST_BATCH && call.rows() <= TILE * LARGEST_BATCH;
  }

  /** Puts a product at the end of the stream and returns. */
  public void gemm(CudaStream stream, GemmCall call) {
    if (!supports(call)) {
      throw new IllegalArgumentException("product is not for this kernel: " + call);
    }
    arguments.set(0, call.left().address()).set(1, call.right().address()).set(2, call.result().address());
    arguments.set(3, call.rows()).set(4, call.columns()).set(5, call.depth());
    strides(6, call.left());
    strides(9, call.right());
    arguments.set(12, (long) call.result().rowElements()).set(13, call.result().batchElements());
    arguments.set(14, call.alpha()).set(15, call.beta());
    kernel.launch(stream, new LaunchShape(Math.ceilDiv(call.columns(), TILE), Math.ceilDiv(call.rows(), TILE),
      call.batch(), 16, 16, 1, 0), arguments);
  }

  private void strides(int at, GemmMatrix matrix) {
    long row = matrix.transposed() ? 1 : matrix.rowElements();
    long column = matrix.transposed() ? matrix.rowElements() : 1;
    arguments.set(at, row).set(at + 1, column).set(at + 2, matrix.batchElements());
  }
}
