package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.attribute.ActivationForm;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.InfinityForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Steps of fused programs as expressions of CUDA C, with functions of {@code pointwise.cuh}. Operands and results have
 * the types in which elements are stored, so each step rounds as if it ran alone.
 */
final class PointwiseExpressions {
  private static final Map<String, ElementFunction> UNARY = ElementFunction.ALL.stream().collect(Collectors.toMap(
    ElementFunction::operator, Function.identity()));
  private static final Map<String, PairFunction> PAIRS = PairFunction.ALL.stream().collect(Collectors.toMap(
    PairFunction::operator, Function.identity()));

  private PointwiseExpressions() {}

  /**
   * The expression for a step's result; empty if the operator is not supported.
   *
   * @param operands names of variables; an empty string for an absent operand
   */
  static Optional<String> of(Step step, List<String> operands) {
    String stored = CudaElementTypes.stored(step.dtype());
    String operator = step.operator();
    ElementFunction unary = UNARY.get(operator);
    if (unary != null) {
      return unary.function(step.attributes()).map(it -> narrowed(stored, call(it, operands, unary.form(), step
        .attributes())));
    }
    PairFunction pair = PAIRS.get(operator);
    if (pair != null) {
      return Optional.of(pair.isComparison()
        ? "widen(%s) %s widen(%s) ? 1 : 0".formatted(operands.get(0), pair.sign(), operands.get(1))
        : folded(stored, pair.function(), operands));
    }
    return switch (operator) {
      case Operators.POW -> Optional.of(narrowed(stored, call("power", operands)));
      case Operators.WHERE -> Optional.of("%s ? %s : %s".formatted(operands.get(0), operands.get(1), operands.get(2)));
      case Operators.CAST -> Optional.of(step.dtype() == DType.BOOL
        ? "element::cast_to_bool(widen(%s))".formatted(operands.get(0))
        : "element::cast<%s>(widen(%s))".formatted(stored, operands.get(0)));
      case Operators.CLIP -> Optional.of(narrowed(stored, clip(operands)));
      case "IsInf" -> {
        InfinityForm form = InfinityForm.of(step.attributes());
        yield Optional.of("element::is_infinite(widen(%s), %b, %b) ? 1 : 0".formatted(operands.get(0), form.positive(),
          form.negative()));
      }
      case "IsNaN" -> Optional.of("widen(%s) != widen(%s) ? 1 : 0".formatted(operands.get(0), operands.get(0)));
      default -> Optional.empty();
    };
  }

  private static String narrowed(String stored, String wide) {
    return "narrow<%s>(%s)".formatted(stored, wide);
  }

  private static String call(String function, List<String> operands) {
    return call(function, operands, ActivationForm.NONE, Attributes.NONE);
  }

  private static String call(String function, List<String> operands, ActivationForm form,
    Attributes attributes) {
    Stream<String> numbers = IntStream.range(0, form.parameters().size())
      .mapToObj(it -> literal(form.of(attributes, it)));
    return Stream.concat(operands.stream().map("widen(%s)"::formatted), numbers).collect(Collectors.joining(", ",
      "element::" + function + "(", ")"));
  }

  /** Combines operands from the left and rounds each result. A single operand stays unchanged. */
  private static String folded(String stored, String function, List<String> operands) {
    String all = operands.getFirst();
    for (String next : operands.subList(1, operands.size())) {
      all = narrowed(stored, call(function, List.of(all, next)));
    }
    return all;
  }

  private static String clip(List<String> operands) {
    String bounded = "widen(%s)".formatted(operands.get(0));
    List<String> functions = List.of("", "element::at_least(%s, widen(%s))", "element::at_most(%s, widen(%s))");
    for (int i = 1; i < operands.size(); i++) {
      bounded = operands.get(i).isEmpty() ? bounded : functions.get(i).formatted(bounded, operands.get(i));
    }
    return bounded;
  }

  /** The exact number. NaN and infinities are written as bits. */
  private static String literal(float value) {
    return Float.isFinite(value)
      ? Float.toHexString(value) + "f"
      : "__uint_as_float(0x%08xu)".formatted(Float.floatToRawIntBits(value));
  }
}
