package dev.cairn.runtime.pass.quantize;

import dev.cairn.kernels.cpu.quantized.CpuQuantizedBinary;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;
import java.util.Optional;

/**
 * The rows of float operators between quantised tensors, which only {@link FuseQuantizedOperatorPass} makes.
 * Inputs are the operands, each with its scale and zero point, then the result's.
 */
public final class QLinearOperators {
  private static final String PREFIX = "QLinear";
  /** A tensor, its scale and its zero point. */
  private static final int QUANTIZED = 3;
  private static final MemoryTraits EITHER_IN_PLACE = new MemoryTraits(List.of(new MemoryTraits.Pair(0, 0),
    new MemoryTraits.Pair(CpuQuantizedBinary.RIGHT, 0)), false);

  private QLinearOperators() {}

  /** The operator between quantised tensors that does what a float operator does; empty where there is none. */
  static Optional<String> of(OperatorDefinition real) {
    return real.facts().has(OperatorTrait.HAS_QLINEAR) ? Optional.of(PREFIX + real.name()) : Optional.empty();
  }

  /**
   * The table with these operators, and with tables of bytes.
   *
   * @param operators with the float ones, whose rules give the results' shapes
   */
  public static OperatorTable in(OperatorTable operators) {
    OperatorTable all = operators.with(ByteTableOperator.ROW);
    for (OperatorDefinition real : operators.rows()) {
      if (real.facts().has(OperatorTrait.HAS_QLINEAR)) {
        all = all.with(real.maxInputs() == 2 ? binary(PREFIX + real.name()) : unary(real));
      }
    }
    return all;
  }

  private static OperatorDefinition binary(String name) {
    int inputs = CpuQuantizedBinary.RESULT + 2;
    return new OperatorDefinition(name, inputs, inputs, context -> {
      Shape shape = operand(context, 0).broadcastWith(operand(context, CpuQuantizedBinary.RIGHT));
      return List.of(result(context, CpuQuantizedBinary.RESULT, shape));
    }, EITHER_IN_PLACE);
  }

  private static OperatorDefinition unary(OperatorDefinition real) {
    int inputs = QUANTIZED + 2;
    return new OperatorDefinition(PREFIX + real.name(), inputs, inputs, context -> {
      var x = new TensorType(DType.FLOAT32, operand(context, 0));
      Shape shape = real.typeRule().infer(context.of(real.name(), context.attributes(), 1).withType(0, x))
        .getFirst().shape();
      return List.of(result(context, QUANTIZED, shape));
    }, real.memory());
  }

  private static Shape operand(TypeContext context, int input) {
    requireBytes(context, input + 1, context.dtype(input));
    return context.shape(input);
  }

  private static TensorType result(TypeContext context, int scale, Shape shape) {
    DType dtype = context.dtype(scale + 1);
    requireBytes(context, scale, dtype);
    return new TensorType(dtype, shape);
  }

  private static void requireBytes(TypeContext context, int scale, DType dtype) {
    if (!Quantized.BYTES.contains(dtype) || context.dtype(scale + 1) != dtype || context.dtype(scale) != DType.FLOAT32
      || context.shape(scale).elementCount() != 1 || context.shape(scale + 1).elementCount() != 1) {
      throw context.fault("8 bits with one float32 scale and one zero point are needed: scale=%s zero=%s".formatted(
        context.input(scale), context.input(scale + 1)));
    }
  }
}
