package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;

/** {@code MatMulInteger} of two matrices without zero points, of which the right one is of {@code int8}. */
final class OneDnnIntegerMatmul implements Product {
  @Override
  public String operator() {
    return Operators.MATMUL_INTEGER;
  }

  @Override
  public boolean fits(KernelSignature signature) {
    return signature.inputs().size() == 2 && isMatrix(signature.input(0)) && isMatrix(signature.input(1)) && signature
      .input(1).dtype() == DType.INT8;
  }

  private static boolean isMatrix(TensorType type) {
    return type.shape().rank() == 2 && type.shape().elementCount() > 0;
  }

  @Override
  public void describe(KernelSignature signature, ProgramBuilder program) {
    long rows = signature.output(0).shape().extent(0);
    long columns = signature.output(0).shape().extent(1);
    long depth = signature.input(0).shape().extent(1);
    Layouts left = program.layouts().of(signature.input(0).dtype());
    Layouts right = program.layouts().of(DType.INT8);
    Layouts sums = program.layouts().of(DType.INT32);
    long plain = right.plain(depth, columns);
    long weights = plain;
    if (program.isConstant(1)) {
      long packedRows = OneDnnMatmul.PACKED_FOR_ROWS;
      weights = program.weightsLayout(OneDnnMatmul.descriptor(program, left.plain(packedRows, depth), right.any(depth,
        columns), 0, sums.plain(packedRows, columns)));
    }
    long a = left.plain(rows, depth);
    long y = sums.plain(rows, columns);
    program.addProduct(OneDnnMatmul.descriptor(program, a, weights, 0, y), a, plain, 0, y);
  }
}
