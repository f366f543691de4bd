package dev.cairn.kernels.cuda.product;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmCall;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;

/** A kernel that computes products with cuBLAS, for {@code float} and the half types. */
public abstract class CublasKernel extends CudaKernel {
  private final Cublas cublas;
  private final GemmPrecision ofFloats;

  /** @param ofFloats the precision of {@code float} products */
  protected CublasKernel(KernelLibrary library, Cublas cublas, GemmPrecision ofFloats) {
    super(library);
    if (ofFloats.bytes() != Float.BYTES) {
      throw new IllegalArgumentException("no precision of float: precision=" + ofFloats);
    }
    this.cublas = cublas;
    this.ofFloats = ofFloats;
  }

  protected final GemmPrecision precision(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> ofFloats;
      case FLOAT16 -> GemmPrecision.FLOAT16;
      case BFLOAT16 -> GemmPrecision.BFLOAT16;
      default -> throw new IllegalArgumentException("cuBLAS is not asked to multiply such elements: type=" + dtype);
    };
  }

  @Override
  public final long workspaceBytes(KernelSignature signature) {
    return cublas.workspaceBytes(signature.output(0).shape().elementCount());
  }

  /** The product of two inputs, whose addresses each run reads again, into output 0. */
  protected final Runnable product(KernelCall call, GemmCall product, int left, int right) {
    CudaStream stream = Launch.streamOf(call);
    return new Runnable() {
      private GemmCall bound = product;

      @Override
      public void run() {
        long leftAddress = call.input(left).segment().address();
        long rightAddress = call.input(right).segment().address();
        if (bound.left().address() != leftAddress || bound.right().address() != rightAddress) {
          bound = bound.at(leftAddress, rightAddress);
        }
        cublas.gemm(stream, bound, call.workspace().address(), call.workspace().byteSize());
      }
    };
  }
}
