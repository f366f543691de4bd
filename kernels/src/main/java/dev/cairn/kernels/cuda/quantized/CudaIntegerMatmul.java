package dev.cairn.kernels.cuda.quantized;

import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.Structures;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;

/**
 * {@code MatMulInteger}, {@code MatMulIntegerToFloat} and {@code QLinearMatMul}: products of matrices of 8-bit whole
 * numbers, of which the right one is the same for all left ones. Four terms are added at once ({@code dp4a}).
 */
public final class CudaIntegerMatmul extends CudaKernel {
  private static final int SIDE = 16;
  private static final int WHOLE = 0;
  private static final int FLOATS = 1;
  private static final int BYTES = 2;
  private static final int UNSIGNED_BYTES = 3;

  private final QuantizedInputs inputs;

  public CudaIntegerMatmul(KernelLibrary library, QuantizedInputs inputs) {
    super(library);
    this.inputs = inputs;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    Shape left = signature.input(inputs.left()).shape();
    Shape right = signature.input(inputs.right()).shape();
    if (left.rank() < 2 || right.rank() != 2) {
      return false;
    }
    long rows = left.elementCount() / Math.max(1, left.extent(-1));
    return fits(signature, inputs.leftZero(), rows) && fits(signature, inputs.leftScale(), rows) && fits(signature,
      inputs.scale(), rows) && fits(signature, inputs.zero(), rows)
      && fits(signature, inputs.rightZero(), right
        .extent(1))
      && fits(signature, inputs.rightScale(), right.extent(1)) && isSingle(signature, inputs.leftScale()) && isSingle(
        signature, inputs.rightScale())
      && isSingle(signature, inputs.scale());
  }

  /** Whether there is one number, or one for each row or column. */
  static boolean fits(KernelSignature signature, int input, long lines) {
    long count = signature.has(input) ? signature.input(input).shape().elementCount() : 1;
    return count == 1 || count == lines;
  }

  static boolean isSingle(KernelSignature signature, int input) {
    return !signature.has(input) || signature.input(input).dtype() == DType.FLOAT32;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    MatrixProduct product = MatrixProduct.ofMatmul(call.input(inputs.left()).shape(), call.input(inputs.right())
      .shape());
    long rows = (long) product.count() * product.rows();
    Launch.Builder launch = Launch.of(call, library.function("quantize.cu", CudaElementTypes.integerProducts(call.input(
      inputs.left()).dtype(), call.input(inputs.right()).dtype()), "integer_product"));
    for (int input : new int[] {inputs.left(), inputs.right(), inputs.leftZero(), inputs.rightZero(),
      inputs.leftScale(), inputs.rightScale(), inputs.scale(), inputs.zero(), inputs.bias()}) {
      launch.input(input);
    }
    long tiles = Math.ceilDiv(rows, SIDE) * Math.ceilDiv(product.columns(), SIDE);
    return launch.output(0)
      .value(result(inputs, call.output(0).dtype()))
      .structure(Structures.ofLongs(rows, product.columns(), product.depth(), count(call, inputs.leftZero()), count(
        call, inputs.rightZero()), count(call, inputs.leftScale()), count(call, inputs.rightScale()),
        count(call, inputs
          .scale()),
        count(call, inputs.zero())))
      .with(Grids.ofBlocks(tiles, SIDE * SIDE));
  }

  static long count(KernelCall call, int input) {
    return call.has(input) ? call.input(input).elementCount() : 0;
  }

  /** The form in which a product is stored. */
  static int result(QuantizedInputs inputs, DType dtype) {
    if (inputs.leftScale() == QuantizedInputs.NONE) {
      return WHOLE;
    }
    if (inputs.scale() == QuantizedInputs.NONE) {
      return FLOATS;
    }
    return bytes(dtype);
  }

  /** The code of the type in which quantised results are stored. */
  static int bytes(DType dtype) {
    return dtype == DType.INT8 ? BYTES : UNSIGNED_BYTES;
  }
}
