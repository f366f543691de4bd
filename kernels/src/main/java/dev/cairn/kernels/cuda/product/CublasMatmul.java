package dev.cairn.kernels.cuda.product;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmCall;
import dev.cairn.kernels.cuda.blas.GemmMatrix;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code MatMul(a, b)} and {@code Gemm(a, b, c?)} with one call of cuBLAS. {@link CudaMatmul} computes empty products,
 * and batches whose matrices are not evenly spaced in memory.
 */
public final class CublasMatmul extends CublasKernel {
  private final boolean isGemm;

  private CublasMatmul(KernelLibrary library, Cublas cublas, GemmPrecision ofFloats, boolean isGemm) {
    super(library, cublas, ofFloats);
    this.isGemm = isGemm;
  }

  /** {@code MatMul}. */
  public static CublasMatmul matmul(KernelLibrary library, Cublas cublas, GemmPrecision ofFloats) {
    return new CublasMatmul(library, cublas, ofFloats, false);
  }

  /** {@code Gemm} with attributes {@code alpha}, {@code beta}, {@code transA}, {@code transB}. */
  public static CublasMatmul gemm(KernelLibrary library, Cublas cublas, GemmPrecision ofFloats) {
    return new CublasMatmul(library, cublas, ofFloats, true);
  }

  private MatrixProduct product(Attributes attributes, Shape left, Shape right) {
    return isGemm ? MatrixProduct.ofGemm(attributes, left, right) : MatrixProduct.ofMatmul(left, right);
  }

  /** Refuses a factor of 0: cuBLAS would not read the operands, and so ignore NaN in them. */
  @Override
  public boolean accepts(KernelSignature signature) {
    MatrixProduct product = product(signature.attributes(), signature.input(0).shape(), signature.input(1).shape());
    boolean something = product.count() > 0 && product.rows() > 0 && product.columns() > 0 && product.depth() > 0;
    return something && (!isGemm || GemmForm.of(signature.attributes()).alpha() != 0)
      && spacing(product.batchExtents(), product.leftBatchStrides()).isPresent()
      && spacing(product.batchExtents(), product.rightBatchStrides()).isPresent();
  }

  /** The distance between neighbouring matrices, if it is constant. */
  private static OptionalLong spacing(long[] extents, long[] strides) {
    long spacing = 0;
    long inner = 1;
    for (int axis = extents.length - 1; axis >= 0; axis--) {
      if (extents[axis] != 1) {
        spacing = inner == 1 ? strides[axis] : spacing;
        if (strides[axis] != spacing * inner) {
          return OptionalLong.empty();
        }
        inner *= extents[axis];
      }
    }
    return OptionalLong.of(spacing);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    MatrixProduct product = product(call.attributes(), call.input(0).shape(), call.input(1).shape());
    // For a single row, the distance to the next row does not matter.
    GemmMatrix left = product.leftDepthStride() == 1
      ? matrix(call.input(0), Math.max(product.leftRowStride(), product.depth()), product.leftBatchStrides(), product)
      : matrix(call.input(0), product.leftDepthStride(), product.leftBatchStrides(), product).asTransposed();
    GemmMatrix right = product.rightColumnStride() == 1
      ? matrix(call.input(1), Math.max(product.rightDepthStride(), product.columns()), product.rightBatchStrides(),
        product)
      : matrix(call.input(1), product.rightColumnStride(), product.rightBatchStrides(), product).asTransposed();
    var result = new GemmMatrix(call.output(0).segment().address(), product.columns(), (long) product.rows()
      * product.columns(), false);
    GemmForm form = GemmForm.of(call.attributes());
    float alpha = isGemm ? form.alpha() : 1;
    float beta = isGemm && call.has(2) ? form.beta() : 0;
    Runnable multiplied = product(call, new GemmCall(precision(call.output(0).dtype()), product.rows(),
      product.columns(), product.depth(), left, right, result, alpha, beta, product.count()), 0, 1);
    return beta == 0 ? multiplied : Launch.inOrder(List.of(stretched(call, call.input(2).shape()), multiplied));
  }

  private static GemmMatrix matrix(TensorView operand, long rowElements, long[] batchStrides, MatrixProduct product) {
    return new GemmMatrix(operand.segment().address(), Math.toIntExact(rowElements), spacing(product.batchExtents(),
      batchStrides).orElseThrow(), false);
  }
}
