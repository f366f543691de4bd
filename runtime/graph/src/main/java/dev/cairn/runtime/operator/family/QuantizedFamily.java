package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;

import dev.cairn.kernels.attribute.BlockedWeights;
import dev.cairn.kernels.attribute.QuantizedForm;
import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.attribute.QuantizedLines;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;

/**
 * Conversions to and from quantised tensors, and their products. {@code MatMulIntegerToFloat} and {@code MatMulNBits}
 * are of domain com.microsoft.
 */
public final class QuantizedFamily {
  private static final String ROUNDED = "it rounds to whole numbers";

  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("QuantizeLinear", 2, 3, QuantizedFamily::quantize, MemoryTraits.NONE).named("x", "y_scale",
      "y_zero_point").withTypes("output_dtype", "precision").noGradient(ROUNDED),
    new OperatorDefinition("DequantizeLinear", 2, 3, QuantizedFamily::dequantize, MemoryTraits.NONE).named("x",
      "x_scale", "x_zero_point").withTypes("output_dtype").noGradient(NOT_WRITTEN),
    new OperatorDefinition("DynamicQuantizeLinear", 1, 1, QuantizedFamily::quantizeDynamically, MemoryTraits.NONE)
      .named("x").noGradient(ROUNDED),
    new OperatorDefinition("MatMulInteger", 2, 4, QuantizedFamily::integerProduct, MemoryTraits.NONE).named("A", "B",
      "a_zero_point", "b_zero_point").working(MatmulFamily::multiplications).noGradient(ROUNDED),
    new OperatorDefinition("MatMulIntegerToFloat", 4, 7, QuantizedFamily::floatProduct, MemoryTraits.NONE).named("A",
      "B", "a_scale", "b_scale", "a_zero_point", "b_zero_point", "bias").working(MatmulFamily::multiplications)
      .ofDomain(OnnxFacts.MICROSOFT).noGradient(ROUNDED),
    new OperatorDefinition("MatMulNBits", 3, 6, QuantizedFamily::blockedProduct, MemoryTraits.NONE).named("A", "B",
      "scales", "zero_points", "g_idx", "bias").working(MatmulFamily::multiplications).ofDomain(OnnxFacts.MICROSOFT)
      .noGradient(NOT_WRITTEN),
    new OperatorDefinition("QLinearMatMul", 8, 9, QuantizedFamily::quantizedProduct, MemoryTraits.NONE).named("a",
      "a_scale", "a_zero_point", "b", "b_scale", "b_zero_point", "y_scale", "y_zero_point").noGradient(ROUNDED),
    new OperatorDefinition("ConvInteger", 2, 4, QuantizedFamily::integerConvolution, MemoryTraits.NONE).named("x", "w",
      "x_zero_point", "w_zero_point").working(ConvolutionFamily.convolved(1)).noGradient(ROUNDED),
    new OperatorDefinition("QLinearConv", 8, 9, QuantizedFamily::quantizedConvolution, MemoryTraits.NONE).named("x",
      "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point", "y_scale", "y_zero_point", "B")
      .working(ConvolutionFamily.convolved(3)).noGradient(ROUNDED));

  private QuantizedFamily() {}

  private static List<TensorType> quantize(TypeContext context) {
    AdmittedTypes.QUANTIZED_FROM.require(context, 0);
    AdmittedTypes.BLOCK_SCALES.require(context, 1);
    QuantizedForm form = QuantizedForm.of(context.attributes());
    DType named = ConversionFamily.named(context, "output_dtype", form.dtype().orElse(DType.UINT8.toString()));
    DType dtype = context.has(2) ? context.dtype(2) : named;
    if (!AdmittedTypes.QUANTIZED.admits(dtype) || (form.dtype().isPresent() && named != dtype)) {
      throw context.fault("unsupported quantised type: dtype=%s output_dtype=%s".formatted(dtype, named));
    }
    DType scale = context.dtype(1);
    DType precision = ConversionFamily.named(context, "precision", form.precision().orElse((scale.isNarrow()
      ? DType.FLOAT32
      : scale).toString()));
    if (!AdmittedTypes.SCALES.admits(precision)) {
      throw context.fault("unsupported type of the division: precision=" + precision);
    }
    requireParameters(context);
    return List.of(context.input(0).withDType(dtype));
  }

  private static List<TensorType> dequantize(TypeContext context) {
    AdmittedTypes.DEQUANTIZED_FROM.require(context, 0, 2);
    DType scale = AdmittedTypes.BLOCK_SCALES.require(context, 1);
    DType dtype = ConversionFamily.named(context, "output_dtype",
      QuantizedForm.of(context.attributes()).dtype().orElse(scale.toString()));
    if (!AdmittedTypes.SCALES.admits(dtype)) {
      throw context.fault("unsupported result type: output_dtype=" + dtype);
    }
    requireParameters(context);
    return List.of(context.input(0).withDType(dtype));
  }

  /** Checks that scales fit the tensor, and zero points the scales. */
  private static void requireParameters(TypeContext context) {
    Shape scale = context.shape(1);
    if (context.has(2) && !context.shape(2).equals(scale) && !(context.shape(2).elementCount() == 1 && scale
      .elementCount() == 1)) {
      throw context.fault("one zero point for each scale is needed: scale=%s zero_point=%s".formatted(scale, context
        .shape(2)));
    }
    QuantizedLines.of(context.attributes(), context.shape(0), scale);
  }

  private static List<TensorType> quantizeDynamically(TypeContext context) {
    AdmittedTypes.SINGLE.require(context, 0);
    return context.first(context.input(0).withDType(DType.UINT8), new TensorType(DType.FLOAT32, Shape.SCALAR),
      new TensorType(DType.UINT8, Shape.SCALAR));
  }

  private static List<TensorType> integerProduct(TypeContext context) {
    Shape product = product(context, QuantizedInputs.INTEGER);
    return List.of(new TensorType(DType.INT32, product));
  }

  private static List<TensorType> floatProduct(TypeContext context) {
    QuantizedInputs inputs = QuantizedInputs.TO_FLOAT;
    Shape product = product(context, inputs);
    DType dtype = AdmittedTypes.SINGLE.require(context, inputs.leftScale(), inputs.rightScale(), inputs.bias());
    requireBiasOfColumns(context, inputs);
    return List.of(new TensorType(dtype, product));
  }

  /** A real matrix, and weights of few bits with their scales. */
  private static List<TensorType> blockedProduct(TypeContext context) {
    DType dtype = AdmittedTypes.SCALES.require(context, 0, 2, 5);
    BlockedWeights weights = BlockedWeights.of(context.attributes());
    Shape left = context.shape(0);
    long blocks = (long) weights.columns() * weights.blocks();
    if (left.rank() == 0 || left.extent(-1) != weights.depth() || context.dtype(1) != DType.UINT8 || !context.shape(1)
      .equals(weights.shape()) || context.shape(2).elementCount() != blocks) {
      throw context.fault("the operands do not fit: weights=%s wanted=uint8[%s] scales=%d depth=%d".formatted(context
        .input(1), weights.shape(), blocks, weights.depth()));
    }
    if (context.has(3)) {
      boolean isPacked = context.dtype(3) == DType.UINT8;
      long wanted = isPacked ? weights.columns() * weights.zeroBytes() : blocks;
      if ((!isPacked && context.dtype(3) != dtype) || context.shape(3).elementCount() != wanted) {
        throw context.fault("one zero point for each scale is needed: zeros=%s wanted=%d".formatted(context.input(3),
          wanted));
      }
    }
    if (context.has(4)) {
      throw context.fault("an order of groups is not supported: input=4");
    }
    context.requireShape(5, Shape.of(weights.columns()), "one bias for each column is needed");
    return List.of(new TensorType(dtype, left.with(-1, weights.columns())));
  }

  private static void requireBiasOfColumns(TypeContext context, QuantizedInputs inputs) {
    context.requireShape(inputs.bias(), Shape.of(columns(context, inputs)), "one bias for each column is needed");
  }

  /** The product with a bias, which ONNX's operator does not have: it comes from a fused {@code Gemm}. */
  private static List<TensorType> quantizedProduct(TypeContext context) {
    Shape product = product(context, QuantizedInputs.LINEAR);
    requireWholeBias(context);
    requireBiasOfColumns(context, QuantizedInputs.LINEAR);
    return List.of(new TensorType(result(context), product));
  }

  private static long columns(TypeContext context, QuantizedInputs inputs) {
    Shape right = context.shape(inputs.right());
    return right.rank() == 1 ? 1 : right.extent(-1);
  }

  /** The product's shape; scales and zero points are one, or one for each row at the left and column at the right. */
  private static Shape product(TypeContext context, QuantizedInputs inputs) {
    requireBytes(context, inputs);
    Shape left = context.shape(inputs.left());
    Shape right = context.shape(inputs.right());
    Shape product = MatmulFamily.product(context, left, right);
    long rows = left.rank() == 1 ? 1 : left.extent(-2);
    long depth = left.extent(-1);
    long columns = columns(context, inputs);
    long allRows = depth == 0 ? rows : left.elementCount() / depth;
    long allColumns = depth == 0 ? columns : right.elementCount() / depth;
    requireCount(context, inputs.leftScale(), rows, allRows);
    requireCount(context, inputs.leftZero(), rows, allRows);
    requireCount(context, inputs.rightScale(), columns, allColumns);
    requireCount(context, inputs.rightZero(), columns, allColumns);
    requireCount(context, inputs.scale(), rows, 1);
    requireCount(context, inputs.zero(), rows, 1);
    return product;
  }

  private static void requireBytes(TypeContext context, QuantizedInputs inputs) {
    AdmittedTypes.BYTES.require(context, inputs.left(), inputs.leftZero());
    AdmittedTypes.BYTES.require(context, inputs.right(), inputs.rightZero());
  }

  private static void requireCount(TypeContext context, int input, long one, long other) {
    if (context.has(input)) {
      long count = context.shape(input).elementCount();
      if (count != 1 && count != one && count != other) {
        throw context.fault("wrong number of scales or zero points: input=%d shape=%s".formatted(
          input, context.shape(input)));
      }
    }
  }

  /** The element type of a quantised result, when the scales are of one type. */
  private static DType result(TypeContext context) {
    QuantizedInputs inputs = QuantizedInputs.LINEAR;
    AdmittedTypes.SCALES.require(context, inputs.leftScale(), inputs.rightScale(), inputs.scale());
    return AdmittedTypes.BYTES.require(context, inputs.zero());
  }

  private static List<TensorType> integerConvolution(TypeContext context) {
    return List.of(new TensorType(DType.INT32, convolution(context, QuantizedInputs.INTEGER)));
  }

  private static List<TensorType> quantizedConvolution(TypeContext context) {
    QuantizedInputs inputs = QuantizedInputs.LINEAR;
    Shape result = convolution(context, inputs);
    requireWholeBias(context);
    return List.of(new TensorType(result(context), result));
  }

  private static void requireWholeBias(TypeContext context) {
    int bias = QuantizedInputs.LINEAR.bias();
    if (context.has(bias) && context.dtype(bias) != DType.INT32) {
      throw context.fault("a bias is int32: dtype=" + context.dtype(bias));
    }
  }

  private static Shape convolution(TypeContext context, QuantizedInputs inputs) {
    requireBytes(context, inputs);
    Shape weights = context.shape(inputs.right());
    Shape result = ConvolutionFamily.result(context, inputs.left(), inputs.right(), inputs.bias());
    requireCount(context, inputs.leftScale(), 1, 1);
    requireCount(context, inputs.leftZero(), 1, 1);
    requireCount(context, inputs.rightScale(), weights.extent(0), 1);
    requireCount(context, inputs.rightZero(), weights.extent(0), 1);
    requireCount(context, inputs.scale(), 1, 1);
    requireCount(context, inputs.zero(), 1, 1);
    return result;
  }
}
