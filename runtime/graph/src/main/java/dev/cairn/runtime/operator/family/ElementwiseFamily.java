package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.FOLLOWS_HALF;
import static dev.cairn.runtime.operator.OperatorTrait.HAS_QLINEAR;
import static dev.cairn.runtime.operator.OperatorTrait.MASKS;
import static dev.cairn.runtime.operator.OperatorTrait.WEIGHT_LISTS;
import static dev.cairn.runtime.operator.family.AdmittedTypes.BOOLEANS;
import static dev.cairn.runtime.operator.family.AdmittedTypes.FLOATS;
import static dev.cairn.runtime.operator.family.AdmittedTypes.INTEGERS;
import static dev.cairn.runtime.operator.family.AdmittedTypes.NOT_NARROW;
import static dev.cairn.runtime.operator.family.AdmittedTypes.NUMBERS;
import static dev.cairn.runtime.operator.family.AdmittedTypes.SIGNED;
import static dev.cairn.runtime.operator.family.AdmittedTypes.UNSIGNED;
import static dev.cairn.runtime.operator.gradient.GradientRule.factor;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.STEPS;

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
import dev.cairn.runtime.operator.gradient.ActivationGradients;
import dev.cairn.runtime.operator.gradient.ElementwiseGradients;
import dev.cairn.runtime.operator.gradient.GradientContext;
import dev.cairn.runtime.operator.partial.ElementwisePartials;
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
  private static final String OF_BOOLEANS = "its results are booleans";
  private static final String OF_WHOLE = "its results are whole numbers";

  public static final List<OperatorDefinition> ROWS = Stream.of( //
    unary("Abs", NUMBERS).with(FOLLOWS_HALF).gradient(factor(g -> g.operand(0).sign())), //
    unary("Acos", FLOATS).named("input").gradient(ElementwiseGradients::arccosine), //
    unary("Acosh", FLOATS).named("input")
      .gradient(g -> g.give(0, g.head().div(g.operand(0).square().add(-1).sqrt()))), //
    unary("Asin", FLOATS).named("input").gradient(ElementwiseGradients::arcsine), //
    unary("Asinh", FLOATS).named("input")
      .gradient(g -> g.give(0, g.head().div(g.operand(0).square().add(1).sqrt()))), //
    unary("Atan", FLOATS).named("input").gradient(g -> g.give(0, g.head().div(g.operand(0).square().add(1)))), //
    unary("Atanh", FLOATS).named("input").gradient(g -> g.give(0, g.head().div(g.operand(0).square().oneMinus()))), //
    unary("BitwiseNot", INTEGERS).zeroGradient(OF_WHOLE), //
    unary("Ceil", FLOATS).zeroGradient(STEPS), //
    unary("Celu", FLOATS).gradient(ActivationGradients::celu), //
    unary("Cos", FLOATS).named("input").gradient(g -> g.give(0, g.head().mul(g.operand(0).sin()).neg())), //
    unary("Cosh", FLOATS).named("input").gradient(factor(g -> g.operand(0).sinh())), //
    unary("Elu", FLOATS).gradient(ActivationGradients::elu), //
    unary("Erf", NUMBERS).named("input").with(FOLLOWS_HALF).gradient(factor(ElementwiseGradients::errorFunction)), //
    unary("Exp", FLOATS).named("input").gradient(factor(GradientContext::result)), //
    unary("Floor", FLOATS).zeroGradient(STEPS), //
    unary("Gelu", FLOATS).with(FOLLOWS_HALF).gradient(factor(ActivationGradients::gelu)), //
    unary("HardSigmoid", FLOATS).with(FOLLOWS_HALF).gradient(ActivationGradients::hardSigmoid), //
    unary("HardSwish", FLOATS).with(FOLLOWS_HALF).gradient(factor(ActivationGradients::hardSwish)), //
    unary("LeakyRelu", FLOATS).with(FOLLOWS_HALF).gradient(ActivationGradients::leakyRelu), //
    unary("Log", FLOATS).named("input").gradient(g -> g.give(0, g.head().div(g.operand(0)))), //
    unary("Mish", FLOATS).gradient(factor(ActivationGradients::mish)), //
    unary("Neg", SIGNED).with(FOLLOWS_HALF).gradient(g -> g.give(0, g.head().neg())), //
    unary("Not", BOOLEANS).zeroGradient(OF_BOOLEANS), //
    unary("Reciprocal", FLOATS).gradient(g -> g.give(0, g.head().mul(g.result().square()).neg())), //
    unary("Relu", SIGNED).with(FOLLOWS_HALF).gradient(g -> g.give(0, g.result().gt(0).where(g.head()))), //
    unary("Round", FLOATS).zeroGradient(STEPS), //
    unary("Selu", FLOATS).gradient(ActivationGradients::selu), //
    unary("Shrink", FLOATS).named("input").gradient(ActivationGradients::shrink), //
    unary("Sigmoid", FLOATS).with(FOLLOWS_HALF).gradient(factor(g -> g.result().mul(g.result().oneMinus()))), //
    unary("Sign", NUMBERS).named("input").zeroGradient(STEPS), //
    unary("Sin", FLOATS).named("input").gradient(factor(g -> g.operand(0).cos())), //
    unary("Sinh", FLOATS).named("input").gradient(factor(g -> g.operand(0).cosh())), //
    unary("Softplus", FLOATS).gradient(factor(g -> g.operand(0).sigmoid())), //
    unary("Softsign", FLOATS).named("input")
      .gradient(g -> g.give(0, g.head().div(g.operand(0).abs().add(1).square()))), //
    unary("Sqrt", FLOATS).gradient(g -> g.give(0, g.head().div(g.result().mul(2)))), //
    unary("Swish", FLOATS).with(FOLLOWS_HALF).since(24).inTensorflow("Mul")
      .gradient(factor(ActivationGradients::swish)), //
    unary("Tan", FLOATS).named("input").gradient(factor(g -> g.result().square().add(1))), //
    unary("Tanh", FLOATS).named("input").with(FOLLOWS_HALF).gradient(factor(g -> g.result().square().oneMinus())), //
    unary("ThresholdedRelu", FLOATS).gradient(ActivationGradients::thresholdedRelu), //
    binary("Add", NUMBERS).with(HAS_QLINEAR, FOLLOWS_HALF, WEIGHT_LISTS, MASKS)
      .ranged(RangeRule.ofTwo(ValueRange::plus))
      .gradient(ElementwiseGradients::sum), //
    binary("And", BOOLEANS).zeroGradient(OF_BOOLEANS), //
    binary("BitShift", UNSIGNED, ElementwiseFamily::requireDirection).named("X", "Y").zeroGradient(OF_WHOLE), //
    binary("BitwiseAnd", INTEGERS).zeroGradient(OF_WHOLE), //
    binary("BitwiseOr", INTEGERS).zeroGradient(OF_WHOLE), //
    binary("BitwiseXor", INTEGERS).zeroGradient(OF_WHOLE), //
    binary("Div", NUMBERS).with(FOLLOWS_HALF).ranged(RangeRule.ofTwo(ValueRange::over)).inTensorflow("RealDiv")
      .gradient(ElementwiseGradients::quotient), //
    binary("Mod", NUMBERS, ElementwiseFamily::requireRemainder).gradient(ElementwiseGradients::remainder), //
    binary("Mul", NUMBERS).with(HAS_QLINEAR, FOLLOWS_HALF, WEIGHT_LISTS).ranged(RangeRule.ofTwo(ValueRange::times))
      .gradient(ElementwiseGradients::product), //
    binary("Or", BOOLEANS).zeroGradient(OF_BOOLEANS), //
    binary("Sub", NUMBERS).with(FOLLOWS_HALF, MASKS).ranged(RangeRule.ofTwo(ValueRange::minus))
      .gradient(ElementwiseGradients::difference), //
    binary("Xor", BOOLEANS).zeroGradient(OF_BOOLEANS), //
    predicate("IsInf"), //
    predicate("IsNaN"), //
    comparison("Equal", NOT_NARROW), //
    comparison("Greater", NUMBERS), //
    comparison("GreaterOrEqual", NUMBERS), //
    comparison("Less", NUMBERS), //
    comparison("LessOrEqual", NUMBERS), //
    variadic("Max", NUMBERS).with(FOLLOWS_HALF).ranged(RangeRule.ofAll(OperatorDefinition.ANY_NUMBER, ValueRange::max))
      .unchanged(UnchangedRule.ONE_INPUT).gradient(ElementwiseGradients::extremum), //
    variadic("Mean", FLOATS).gradient(ElementwiseGradients::mean), //
    variadic("Min", NUMBERS).with(FOLLOWS_HALF).ranged(RangeRule.ofAll(OperatorDefinition.ANY_NUMBER, ValueRange::min))
      .unchanged(UnchangedRule.ONE_INPUT).gradient(ElementwiseGradients::extremum), //
    variadic("Sum", FLOATS).with(FOLLOWS_HALF).unchanged(UnchangedRule.ONE_INPUT).inTensorflow("AddN")
      .gradient(ElementwiseGradients::sum), //
    new OperatorDefinition("Pow", 2, 2, ElementwiseFamily::power, MemoryTraits.FIRST_IN_PLACE).named("X", "Y")
      .partial(ElementwisePartials::power).gradient(ElementwiseGradients::power),
    new OperatorDefinition("PRelu", 2, 2, ElementwiseFamily::parametricRelu, MemoryTraits.FIRST_IN_PLACE).named("X",
      "slope").partial(ElementwisePartials::arithmetic).withWeights(1).gradient(ActivationGradients::parametricRelu),
    new OperatorDefinition("Clip", 1, 3, ElementwiseFamily::clip, MemoryTraits.FIRST_IN_PLACE).named("input", "min",
      "max").with(FOLLOWS_HALF).ranged(ElementwiseFamily::clippedRange).partial(ElementwisePartials::clip)
      .gradient(ElementwiseGradients::clip),
    new OperatorDefinition("Cast", 1, 1, ElementwiseFamily::cast, MemoryTraits.FIRST_IN_PLACE).named("input")
      .ranged(RangeRule.FIRST).unchanged(UnchangedRule.SAME_TYPE).withTypes("to").partial(ElementwisePartials::cast)
      .gradient(ElementwiseGradients::castBack),
    new OperatorDefinition("Where", 3, 3, ElementwiseFamily::where,
      new MemoryTraits(List.of(new MemoryTraits.Pair(1, 0), new MemoryTraits.Pair(2, 0)), false))
      .named("condition", "X", "Y").with(FOLLOWS_HALF, MASKS).ranged(ElementwiseFamily::eitherRange)
      .partial(ElementwisePartials::where).gradient(ElementwiseGradients::choice))
    .map(row -> row.withMemory(row.memory().asElementwise()))
    .toList();

  private ElementwiseFamily() {}

  private static OperatorDefinition unary(String name, AdmittedTypes admitted) {
    TypeRule rule = context -> List.of(context.input(0).withDType(admitted.require(context, 0)));
    return new OperatorDefinition(name, 1, 1, rule, MemoryTraits.FIRST_IN_PLACE).partial(ElementwisePartials::same);
  }

  private static OperatorDefinition predicate(String name) {
    TypeRule rule = context -> {
      FLOATS.require(context, 0);
      return List.of(context.input(0).withDType(DType.BOOL));
    };
    return new OperatorDefinition(name, 1, 1, rule, MemoryTraits.NONE).partial(ElementwisePartials::test).zeroGradient(
      OF_BOOLEANS);
  }

  private static OperatorDefinition binary(String name, AdmittedTypes admitted) {
    return binary(name, admitted, context -> {});
  }

  private static OperatorDefinition binary(String name, AdmittedTypes admitted, Consumer<TypeContext> check) {
    TypeRule rule = context -> {
      check.accept(context);
      return List.of(new TensorType(admitted.require(context, 0, 1), stretched(context)));
    };
    return new OperatorDefinition(name, 2, 2, rule, MemoryTraits.EITHER_IN_PLACE).named("A", "B").partial(
      ElementwisePartials::arithmetic);
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
    return new OperatorDefinition(name, 2, 2, rule, MemoryTraits.NONE).named("A", "B").partial(
      ElementwisePartials::comparison).zeroGradient(OF_BOOLEANS);
  }

  private static OperatorDefinition variadic(String name, AdmittedTypes admitted) {
    TypeRule rule = context -> List.of(new TensorType(admitted.requireAll(context), stretched(context)));
    return new OperatorDefinition(name, 1, OperatorDefinition.ANY_NUMBER, rule, MemoryTraits.EITHER_IN_PLACE)
      .named("data").partial(ElementwisePartials::arithmetic);
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

  /** Each element, at least the first bound and at most the second. */
  private static Optional<ValueRange> clippedRange(TypeContext use, int count) {
    return RangeRule.ofAll(2, ValueRange::max).list(use, count).flatMap(it -> use.has(2)
      ? it.min(use.range(2).orElse(ValueRange.ANY))
      : Optional.of(it));
  }

  private static Optional<ValueRange> eitherRange(TypeContext use, int count) {
    return use.range(1).flatMap(a -> use.range(2).flatMap(a::or)).flatMap(it -> it.any(count));
  }
}
