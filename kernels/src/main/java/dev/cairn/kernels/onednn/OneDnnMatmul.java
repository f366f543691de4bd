package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;
import java.util.function.Function;

/** {@code MatMul}, and {@code Gemm} without factors, of {@code float32} or {@code bfloat16}. */
final class OneDnnMatmul implements Product {
  /** With so few columns a product is a dot product for each row, which the vector kernels compute as fast. */
  private static final int FEW_COLUMNS = 4;
  /** Below so many terms a call costs more than it saves. */
  private static final long FEW_TERMS = 1 << 15;
  static final long PACKED_FOR_ROWS = 64;
  /** oneDNN knows 12 axes. */
  private static final int MOST_AXES = 10;

  private final String operator;
  private final Function<KernelSignature, MatrixProduct> product;
  private final boolean hasBias;

  private OneDnnMatmul(String operator, Function<KernelSignature, MatrixProduct> product, boolean hasBias) {
    this.operator = operator;
    this.product = product;
    this.hasBias = hasBias;
  }

  static OneDnnMatmul matmul() {
    return new OneDnnMatmul(Operators.MATMUL, it -> MatrixProduct.ofMatmul(it.input(0).shape(), it.input(1).shape()),
      false);
  }

  static OneDnnMatmul gemm() {
    return new OneDnnMatmul(Operators.GEMM, it -> MatrixProduct.ofGemm(it.attributes(), it.input(0).shape(), it.input(1)
      .shape()), true);
  }

  @Override
  public String operator() {
    return operator;
  }

  @Override
  public boolean isOfMatrices() {
    return true;
  }

  @Override
  public boolean fits(KernelSignature signature) {
    if (!OneDnnKernel.areAlike(signature, hasBias ? 3 : 2) || (hasBias && !isPlain(signature))) {
      return false;
    }
    MatrixProduct of = product.apply(signature);
    return of.columns() > FEW_COLUMNS && of.batchExtents().length <= MOST_AXES && (long) of.rows() * of
      .columns() * of.depth() >= FEW_TERMS;
  }

  /** No factors, and a third operand, if any, that is one row for all rows. */
  private static boolean isPlain(KernelSignature signature) {
    if (!GemmForm.of(signature.attributes()).hasNoFactors()) {
      return false;
    }
    if (!signature.has(2)) {
      return true;
    }
    Shape added = signature.input(2).shape();
    return added.rank() > 0 && added.elementCount() == added.extent(-1) && added.extent(-1) == signature.output(0)
      .shape().extent(-1);
  }

  @Override
  public void describe(KernelSignature signature, ProgramBuilder program) {
    Layouts layouts = program.layouts();
    MatrixProduct of = product.apply(signature);
    long plainA = operand(layouts, of, of.leftBatchStrides(), new long[] {of.rows(), of.depth()}, new long[] {of
      .leftRowStride(), of.leftDepthStride()});
    long plainB = operand(layouts, of, of.rightBatchStrides(), new long[] {of.depth(), of.columns()}, new long[] {of
      .rightDepthStride(), of.rightColumnStride()});
    long[] extents = joined(of.batchExtents(), of.rows(), of.columns());
    long plainY = layouts.plain(extents);
    long[] biasExtents = new long[extents.length];
    Arrays.fill(biasExtents, 1);
    biasExtents[extents.length - 1] = of.columns();
    long bias = program.hasBias(signature) ? layouts.plain(biasExtents) : 0;
    long weights = plainB;
    if (of.batchExtents().length == 0 && program.isConstant(1)) {
      // The weights are packed for this many rows in every plan, so that plans for all batches share them.
      weights = program.weightsLayout(descriptor(program, layouts.plain(PACKED_FOR_ROWS, of.depth()), layouts.any(of
        .depth(), of.columns()), bias, layouts.plain(PACKED_FOR_ROWS, of.columns())));
    }
    program.addProduct(descriptor(program, plainA, weights, bias, plainY), plainA, plainB, bias, plainY);
  }

  static long descriptor(ProgramBuilder program, long a, long b, long bias, long y) {
    return program.scope().create("primitive_desc", "dnnl_matmul_primitive_desc_create", program.engine(), a, b, bias,
      y, program.productAttributes());
  }

  /** An operand's layout; along an axis of the batch on which it is used again it has one matrix. */
  private static long operand(Layouts layouts, MatrixProduct of, long[] batchStrides, long[] matrix, long[] strides) {
    long[] extents = joined(of.batchExtents(), matrix);
    long[] all = joined(batchStrides, strides);
    for (int axis = 0; axis < batchStrides.length; axis++) {
      if (batchStrides[axis] == 0) {
        extents[axis] = 1;
        all[axis] = matrix[0] * matrix[1];
      }
    }
    return layouts.strided(extents, all);
  }

  private static long[] joined(long[] first, long... second) {
    long[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
