package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.COMPARES;
import static dev.cairn.runtime.operator.OperatorTrait.FOLLOWS_HALF;
import static dev.cairn.runtime.operator.OperatorTrait.HAS_QUANTIZED;
import static dev.cairn.runtime.operator.OperatorTrait.MASKS;
import static dev.cairn.runtime.operator.family.AdmittedTypes.BOOLEANS;
import static dev.cairn.runtime.operator.family.AdmittedTypes.FLOATS;
import static dev.cairn.runtime.operator.family.AdmittedTypes.INTEGERS;
import static dev.cairn.runtime.operator.family.AdmittedTypes.NOT_NARROW;
import static dev.cairn.runtime.operator.family.AdmittedTypes.NUMBERS;
import static dev.cairn.runtime.operator.family.AdmittedTypes.SIGNED;
import static dev.cairn.runtime.operator.family.AdmittedTypes.UNSIGNED;

import dev.cairn.kernels.attribute.BinaryForm;
import dev.cairn.kernels.attribute.CastForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.RangeRule;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.TypeRule;
import dev.cairn.runtime.operator.UnchangedRule;
import dev.cairn.runtime.operator.ValueRange;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Operators that make each element of the result from the elements at its place, stretching the inputs where shapes
 * broadcast.
 *
 * <p>In place is allowed only over an input of the result's own element type. Then as many bytes means the same
 * shape; with another width it could mean a single wide element stretched over many narrow ones, which the first
 * write would destroy.
 */
public final class ElementwiseFamily {
  public static final List<OperatorDefinition> ROWS = Stream.of( //
    unary("Abs", NUMBERS).with(FOLLOWS_HALF), //
    unary("Acos", FLOATS).named("input"), //
    unary("Acosh", FLOATS).named("input"), //
    unary("Asin", FLOATS).named("input"), //
    unary("Asinh", FLOATS).named("input"), //
    unary("Atan", FLOATS).named("input"), //
    unary("Atanh", FLOATS).named("input"), //
    unary("BitwiseNot", INTEGERS), //
    unary("Ceil", FLOATS), //
    unary("Celu", FLOATS), //
    unary("Cos", FLOATS).named("input"), //
    unary("Cosh", FLOATS).named("input"), //
    unary("Elu", FLOATS), //
    unary("Erf", NUMBERS).named("input").with(FOLLOWS_HALF), //
    unary("Exp", FLOATS).named("input"), //
    unary("Floor", FLOATS), //
    unary("Gelu", FLOATS).with(FOLLOWS_HALF), //
    unary("HardSigmoid", FLOATS).with(FOLLOWS_HALF), //
    unary("HardSwish", FLOATS).with(FOLLOWS_HALF), //
    unary("LeakyRelu", FLOATS).with(FOLLOWS_HALF), //
    unary("Log", FLOATS).named("input"), //
    unary("Mish", FLOATS), //
    unary("Neg", SIGNED).with(FOLLOWS_HALF), //
    unary("Not", BOOLEANS), //
    unary("Reciprocal", FLOATS), //
    unary("Relu", SIGNED).with(FOLLOWS_HALF), //
    unary("Round", FLOATS), //
    unary("Selu", FLOATS), //
    unary("Shrink", FLOATS).named("input"), //
    unary("Sigmoid", FLOATS).with(FOLLOWS_HALF), //
    unary("Sign", NUMBERS).named("input"), //
    unary("Sin", FLOATS).named("input"), //
    unary("Sinh", FLOATS).named("input"), //
    unary("Softplus", FLOATS), //
    unary("Softsign", FLOATS).named("input"), //
    unary("Sqrt", FLOATS), //
    unary("Swish", FLOATS).with(FOLLOWS_HALF).since(24).inTensorflow("Mul"), //
    unary("Tan", FLOATS).named("input"), //
    unary("Tanh", FLOATS).named("input").with(FOLLOWS_HALF), //
    unary("ThresholdedRelu", FLOATS), //
    binary("Add", NUMBERS).with(FOLLOWS_HALF, MASKS, HAS_QUANTIZED).ranged(RangeRule.ofTwo(ValueRange::plus)), //
    binary("And", BOOLEANS), //
    binary("BitShift", UNSIGNED, ElementwiseFamily::requireDirection).named("X", "Y"), //
    binary("BitwiseAnd", INTEGERS), //
    binary("BitwiseOr", INTEGERS), //
    binary("BitwiseXor", INTEGERS), //
    binary("Div", NUMBERS).with(FOLLOWS_HALF).ranged(RangeRule.ofTwo(ValueRange::over)).inTensorflow("RealDiv"), //
    binary("Mod", NUMBERS, ElementwiseFamily::requireRemainder), //
    binary("Mul", NUMBERS).with(FOLLOWS_HALF, HAS_QUANTIZED).ranged(RangeRule.ofTwo(ValueRange::times)), //
    binary("Or", BOOLEANS), //
    binary("Sub", NUMBERS).with(FOLLOWS_HALF, MASKS).ranged(RangeRule.ofTwo(ValueRange::minus)), //
    binary("Xor", BOOLEANS), //
    predicate("IsInf"), //
    predicate("IsNaN"), //
    comparison("Equal", NOT_NARROW), //
    comparison("Greater", NUMBERS), //
    comparison("GreaterOrEqual", NUMBERS), //
    comparison("Less", NUMBERS), //
    comparison("LessOrEqual", NUMBERS), //
    variadic("Max", NUMBERS).with(FOLLOWS_HALF).ranged(RangeRule.ofAll(OperatorDefinition.ANY_NUMBER, ValueRange::max))
      .unchanged(UnchangedRule.ONE_INPUT), //
    variadic("Mean", FLOATS), //
    variadic("Min", NUMBERS).with(FOLLOWS_HALF).ranged(RangeRule.ofAll(OperatorDefinition.ANY_NUMBER, ValueRange::min))
      .unchanged(UnchangedRule.ONE_INPUT), //
    variadic("Sum", FLOATS).with(FOLLOWS_HALF).unchanged(UnchangedRule.ONE_INPUT).inTensorflow("AddN"), //
    new OperatorDefinition("Pow", 2, 2, ElementwiseFamily::power, MemoryTraits.FIRST_IN_PLACE).named("X", "Y"),
    new OperatorDefinition("PRelu", 2, 2, ElementwiseFamily::parametricRelu, MemoryTraits.FIRST_IN_PLACE).named("X",
      "slope"),
    new OperatorDefinition("Clip", 1, 3, ElementwiseFamily::clip, MemoryTraits.FIRST_IN_PLACE).named("input", "min",
      "max").with(FOLLOWS_HALF).ranged(ElementwiseFamily::clippedRange),
    new OperatorDefinition("Cast", 1, 1, ElementwiseFamily::cast, MemoryTraits.FIRST_IN_PLACE).named("input")
      .ranged(RangeRule.FIRST).unchanged(UnchangedRule.SAME_TYPE).withTypes("to"),
    new OperatorDefinition("Where", 3, 3, ElementwiseFamily::where,
      new MemoryTraits(List.of(new MemoryTraits.Pair(1, 0), new MemoryTraits.Pair(2, 0)), false))
      .named("condition", "X", "Y").with(FOLLOWS_HALF, MASKS).ranged(ElementwiseFamily::eitherRange))
    .map(row -> row.withMemory(row.memory().asElementwise()))
    .toList();

  private ElementwiseFamily() {}

  private static OperatorDefinition unary(String name, AdmittedTypes admitted) {
    TypeRule rule = context -> List.of(context.input(0).withDType(admitted.require(context, 0)));
    return new OperatorDefinition(name, 1, 1, rule, MemoryTraits.FIRST_IN_PLACE);
  }

  private static OperatorDefinition predicate(String name) {
    TypeRule rule = context -> {
      FLOATS.require(context, 0);
      return List.of(context.input(0).withDType(DType.BOOL));
    };
    return new OperatorDefinition(name, 1, 1, rule, MemoryTraits.NONE).with(COMPARES);
  }

  private static OperatorDefinition binary(String name, AdmittedTypes admitted) {
    return binary(name, admitted, context -> {});
  }

  private static OperatorDefinition binary(String name, AdmittedTypes admitted, Consumer<TypeContext> check) {
    TypeRule rule = context -> {
      check.accept(context);
      return List.of(new TensorType(admitted.require(context, 0, 1), stretched(context)));
    };
    return new OperatorDefinition(name, 2, 2, rule, MemoryTraits.EITHER_IN_PLACE).named("A", "B");
  }

  private static void requireDirection(TypeContext context) {
    BinaryForm form = BinaryForm.of(context.attributes());
    if (!form.isLeft() && !form.isRight()) {
      throw context.fault("a shift needs a direction, LEFT or RIGHT: direction=\"%s\"".formatted(form.direction()));
    }
  }

  /** Only whole numbers have a remainder with the divisor's sign. */
  private static void requireRemainder(TypeContext context) {
    if (context.dtype(0).isFloat() && !BinaryForm.of(context.attributes()).isOfDividend()) {
      throw context.fault("float types need fmod=1: dtype=" + context.dtype(0));
    }
  }

  private static OperatorDefinition comparison(String name, AdmittedTypes admitted) {
    TypeRule rule = context -> {
      admitted.require(context, 0, 1);
      return List.of(new TensorType(DType.BOOL, stretched(context)));
    };
    return new OperatorDefinition(name, 2, 2, rule, MemoryTraits.NONE).named("A", "B").with(COMPARES);
  }

  private static OperatorDefinition variadic(String name, AdmittedTypes admitted) {
    TypeRule rule = context -> List.of(new TensorType(admitted.requireAll(context), stretched(context)));
    return new OperatorDefinition(name, 1, OperatorDefinition.ANY_NUMBER, rule, MemoryTraits.EITHER_IN_PLACE)
      .named("data");
  }

  /** The shape that all inputs are stretched to. */
  private static Shape stretched(TypeContext context) {
    Shape shape = context.shape(0);
    for (int i = 1; i < context.inputCount(); i++) {
      shape = shape.broadcastWith(context.shape(i));
    }
    return shape;
  }

  /** The slope is stretched to the data, which is not stretched. */
  private static List<TensorType> parametricRelu(TypeContext context) {
    AdmittedTypes.WIDE.require(context, 0, 1);
    if (!context.shape(0).broadcastWith(context.shape(1)).equals(context.shape(0))) {
      throw context.fault("the slope cannot be broadcast to the data: data=%s slope=%s".formatted(context.shape(0),
        context.shape(1)));
    }
    return List.of(context.input(0));
  }

  private static List<TensorType> power(TypeContext context) {
    DType base = AdmittedTypes.POWER_BASES.require(context, 0);
    NUMBERS.require(context, 1);
    return List.of(new TensorType(base, stretched(context)));
  }

  private static List<TensorType> clip(TypeContext context) {
    NUMBERS.require(context, 0, 1, 2);
    for (int bound = 1; bound <= 2; bound++) {
      if (context.has(bound)) {
        AdmittedTypes.requireSingle(context, bound);
      }
    }
    return List.of(context.input(0));
  }

  private static List<TensorType> cast(TypeContext context) {
    return List
      .of(context.input(0).withDType(ConversionFamily.named(context, "to", CastForm.of(context.attributes()).to())));
  }

  private static List<TensorType> where(TypeContext context) {
    BOOLEANS.require(context, 0);
    return List.of(new TensorType(NOT_NARROW.require(context, 1, 2), stretched(context)));
  }

  /** No less than the first bound and no more than the second. */
  private static Optional<ValueRange> clippedRange(TypeContext use, int count) {
    return RangeRule.ofAll(2, ValueRange::max).list(use, count).flatMap(it -> use.has(2)
      ? it.min(use.range(2).orElse(ValueRange.ANY))
      : Optional.of(it));
  }

  private static Optional<ValueRange> eitherRange(TypeContext use, int count) {
    return use.range(1).flatMap(a -> use.range(2).flatMap(a::or)).flatMap(it -> it.any(count));
  }
}
