package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Gradients of operators that make each element from those at its place: arithmetic, mathematics, choices. */
final class ElementwiseGradients {
  private static final double TWO_OVER_ROOT_PI = 2 / Math.sqrt(Math.PI);
  private static final String STEPS = "a step function: zero between the steps";
  private static final String BOOLEANS = "its results are booleans";
  private static final String WHOLE = "its results are whole numbers";

  static final List<GradientRow> ROWS = Stream.of(arithmetic(), mathematics(), choices(), without())
    .flatMap(List::stream).toList();

  private ElementwiseGradients() {}

  /** The gradient of a unary operator: the head times a factor. */
  static GradientRow factor(String operator, Function<GradientContext, NodeEntry> factor) {
    return GradientRow.of(operator, g -> g.give(0, g.mul(g.head(), factor.apply(g))));
  }

  private static List<GradientRow> arithmetic() {
    return List.of( //
      GradientRow.of("Add", ElementwiseGradients::sum), //
      GradientRow.of("Sum", ElementwiseGradients::sum), //
      GradientRow.of("Mean", ElementwiseGradients::mean), //
      GradientRow.of("Sub", g -> {
        g.giveFitted(0, g.head());
        if (g.wanted(1)) {
          g.giveFitted(1, g.neg(g.head()));
        }
      }), //
      GradientRow.of("Mul", ElementwiseGradients::product), //
      GradientRow.of("Div", ElementwiseGradients::quotient), //
      GradientRow.of("Mod", ElementwiseGradients::remainder), //
      GradientRow.of("Pow", ElementwiseGradients::power), //
      GradientRow.of("Neg", g -> g.give(0, g.neg(g.head()))), //
      GradientRow.of("Reciprocal", g -> g.give(0, g.neg(g.mul(g.head(), g.square(g.result()))))), //
      GradientRow.of("Sqrt", g -> g.give(0, g.div(g.head(), g.mul(g.result(), 2)))), //
      factor("Abs", g -> g.apply("Sign", g.operand(0))));
  }

  private static List<GradientRow> mathematics() {
    return List.of( //
      factor("Exp", GradientContext::result), //
      GradientRow.of("Log", g -> g.give(0, g.div(g.head(), g.operand(0)))), //
      factor("Sin", g -> g.apply("Cos", g.operand(0))), //
      GradientRow.of("Cos", g -> g.give(0, g.neg(g.mul(g.head(), g.apply("Sin", g.operand(0)))))), //
      factor("Tan", g -> g.add(g.square(g.result()), 1)), //
      GradientRow.of("Asin", g -> g.give(0, g.div(g.head(), rootOfOneMinusSquare(g)))), //
      GradientRow.of("Acos", g -> g.give(0, g.neg(g.div(g.head(), rootOfOneMinusSquare(g))))), //
      GradientRow.of("Atan", g -> g.give(0, g.div(g.head(), g.add(g.square(g.operand(0)), 1)))), //
      factor("Sinh", g -> g.apply("Cosh", g.operand(0))), //
      factor("Cosh", g -> g.apply("Sinh", g.operand(0))), //
      factor("Tanh", g -> g.oneMinus(g.square(g.result()))), //
      GradientRow.of("Asinh", g -> g.give(0, g.div(g.head(), g.apply("Sqrt", g.add(g.square(g.operand(0)), 1))))), //
      GradientRow.of("Acosh", g -> g.give(0, g.div(g.head(), g.apply("Sqrt", g.add(g.square(g.operand(0)), -1))))), //
      GradientRow.of("Atanh", g -> g.give(0, g.div(g.head(), g.oneMinus(g.square(g.operand(0)))))), //
      factor("Erf", g -> g.mul(g.apply("Exp", g.neg(g.square(g.operand(0)))), TWO_OVER_ROOT_PI)));
  }

  private static List<GradientRow> choices() {
    return List.of( //
      GradientRow.of("Max", ElementwiseGradients::extremum), //
      GradientRow.of("Min", ElementwiseGradients::extremum), //
      GradientRow.of("Clip", ElementwiseGradients::clip), //
      GradientRow.of("Where", ElementwiseGradients::choice), //
      GradientRow.of("Cast", ElementwiseGradients::castBack), //
      GradientRow.of("CastLike", ElementwiseGradients::castBack));
  }

  private static List<GradientRow> without() {
    Stream<GradientRow> steps = Stream.of("Sign", "Round", "Ceil", "Floor").map(it -> GradientRow.zero(it, STEPS));
    Stream<GradientRow> booleans = Stream.of("And", "Or", "Xor", "Not", "Equal", "Greater", "GreaterOrEqual", "Less",
      "LessOrEqual", "IsInf", "IsNaN").map(it -> GradientRow.zero(it, BOOLEANS));
    Stream<GradientRow> whole = Stream.of("BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor").map(
      it -> GradientRow.zero(it, WHOLE));
    Stream<GradientRow> bits = Stream.of(GradientRow.none("BitCast", "it reads bits as another type"));
    return Stream.of(steps, booleans, whole, bits).flatMap(it -> it).toList();
  }

  private static void sum(GradientContext g) {
    for (int i = 0; i < g.operands(); i++) {
      if (g.wanted(i)) {
        g.giveFitted(i, g.head());
      }
    }
  }

  private static void mean(GradientContext g) {
    NodeEntry share = g.div(g.head(), g.operands());
    for (int i = 0; i < g.operands(); i++) {
      if (g.wanted(i)) {
        g.giveFitted(i, share);
      }
    }
  }

  private static void product(GradientContext g) {
    for (int i = 0; i < 2; i++) {
      if (g.wanted(i)) {
        g.giveFitted(i, g.mul(g.head(), g.operand(1 - i)));
      }
    }
  }

  private static void quotient(GradientContext g) {
    NodeEntry share = g.div(g.head(), g.operand(1));
    g.giveFitted(0, share);
    if (g.wanted(1)) {
      g.giveFitted(1, g.neg(g.mul(share, g.result())));
    }
  }

  /** 0 by a base whose exponent is 0, and by an exponent that is not negative, of base 0. */
  private static void power(GradientContext g) {
    if (g.wanted(0)) {
      Optional<Double> known = g.operandValue(1).filter(it -> it.elementCount() == 1).map(it -> it.doubleAt(0));
      g.giveFitted(0, known.isPresent() ? byBase(g, known.get()) : byBase(g));
    }
    if (g.wanted(1)) {
      NodeEntry base = g.operand(0);
      NodeEntry slope = g.mul(g.head(), g.mul(g.result(), g.apply("Log", base)));
      NodeEntry flat = g.apply("And", g.compare("Equal", base, 0), g.compare("GreaterOrEqual", g.operand(1), 0));
      g.giveFitted(1, g.cast(g.where(flat, g.scalarLike(slope, 0), slope), g.operandType(1).dtype()));
    }
  }

  private static NodeEntry byBase(GradientContext g, double exponent) {
    NodeEntry base = g.operand(0);
    if (exponent == 0) {
      return g.mul(g.head(), g.scalarLike(base, 0));
    }
    if (exponent == 2) {
      return g.mul(g.head(), g.mul(base, 2));
    }
    if (exponent == 1) {
      return g.head();
    }
    return g.mul(g.head(), g.mul(g.apply("Pow", base, g.scalarLike(g.operand(1), exponent - 1)), exponent));
  }

  private static NodeEntry byBase(GradientContext g) {
    NodeEntry base = g.operand(0);
    NodeEntry exponent = g.operand(1);
    NodeEntry less = g.sub(exponent, g.scalarLike(exponent, 1));
    NodeEntry slope = g.mul(g.head(), g.mul(g.cast(exponent, g.type(base).dtype()), g.apply("Pow", base, less)));
    return g.where(g.compare("Equal", exponent, 0), g.scalarLike(slope, 0), slope);
  }

  /** Of floats: {@code a - b * trunc(a / b)}. */
  private static void remainder(GradientContext g) {
    g.giveFitted(0, g.head());
    if (g.wanted(1)) {
      NodeEntry times = g.apply("Round", g.div(g.sub(g.operand(0), g.result()), g.operand(1)));
      g.giveFitted(1, g.neg(g.mul(g.head(), times)));
    }
  }

  /** To the first operand that equals the result; NaN counts as equal to NaN. */
  private static void extremum(GradientContext g) {
    NodeEntry rest = g.head();
    int last = g.operands() - 1;
    for (int i = 0; i < last; i++) {
      NodeEntry chosen = g.apply("Or", g.apply("Equal", g.operand(i), g.result()), g.apply("IsNaN", g.operand(i)));
      if (g.wanted(i)) {
        g.giveFitted(i, g.where(chosen, rest));
      }
      rest = g.where(chosen, g.scalarLike(rest, 0), rest);
    }
    g.giveFitted(last, rest);
  }

  /** The upper bound wins where the bounds cross. */
  private static void clip(GradientContext g) {
    NodeEntry x = g.operand(0);
    NodeEntry head = g.head();
    if (g.hasOperand(1)) {
      head = g.where(g.apply("GreaterOrEqual", x, bound(g, 1)), head);
    }
    if (g.hasOperand(2)) {
      head = g.where(g.apply("LessOrEqual", x, bound(g, 2)), head);
    }
    g.give(0, head);
    if (g.wanted(1)) {
      NodeEntry below = g.where(g.apply("Less", x, bound(g, 1)), g.head());
      giveToBound(g, 1, g.hasOperand(2) ? g.where(g.apply("LessOrEqual", bound(g, 1), bound(g, 2)), below) : below);
    }
    if (g.wanted(2)) {
      NodeEntry raised = g.hasOperand(1) ? g.apply("Max", x, bound(g, 1)) : x;
      giveToBound(g, 2, g.where(g.apply("Greater", raised, bound(g, 2)), g.head()));
    }
  }

  private static void giveToBound(GradientContext g, int operand, NodeEntry gradient) {
    g.give(operand, g.reshape(g.fit(gradient, Shape.SCALAR), g.operandShape(operand)));
  }

  /** A list of one element counts as a scalar. */
  private static NodeEntry bound(GradientContext g, int operand) {
    return g.reshape(g.operand(operand), Shape.SCALAR);
  }

  private static void choice(GradientContext g) {
    NodeEntry zero = g.scalarLike(g.head(), 0);
    if (g.wanted(1)) {
      g.giveFitted(1, g.where(g.operand(0), g.head(), zero));
    }
    if (g.wanted(2)) {
      g.giveFitted(2, g.where(g.operand(0), zero, g.head()));
    }
  }

  private static void castBack(GradientContext g) {
    g.give(0, g.cast(g.head(), g.operandType(0).dtype()));
  }

  private static NodeEntry rootOfOneMinusSquare(GradientContext g) {
    return g.apply("Sqrt", g.oneMinus(g.square(g.operand(0))));
  }
}
