package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.tensor.Shape;
import java.util.Optional;

/** Gradients of operators that make each element from those at its place: arithmetic, mathematics, choices. */
public final class ElementwiseGradients {
  private static final double TWO_OVER_ROOT_PI = 2 / Math.sqrt(Math.PI);

  private ElementwiseGradients() {}

  public static void difference(GradientContext g) {
    g.giveFitted(0, g.head());
    if (g.wanted(1)) {
      g.giveFitted(1, g.head().neg());
    }
  }

  public static void arcsine(GradientContext g) {
    g.give(0, g.head().div(rootOfOneMinusSquare(g)));
  }

  public static void arccosine(GradientContext g) {
    g.give(0, g.head().div(rootOfOneMinusSquare(g)).neg());
  }

  /** The slope of the error function. */
  public static GradientExpression errorFunction(GradientContext g) {
    return g.operand(0).square().neg().exp().mul(TWO_OVER_ROOT_PI);
  }

  public static void sum(GradientContext g) {
    for (int i = 0; i < g.operands(); i++) {
      if (g.wanted(i)) {
        g.giveFitted(i, g.head());
      }
    }
  }

  public static void mean(GradientContext g) {
    GradientExpression share = g.head().div(g.operands());
    for (int i = 0; i < g.operands(); i++) {
      if (g.wanted(i)) {
        g.giveFitted(i, share);
      }
    }
  }

  public static void product(GradientContext g) {
    for (int i = 0; i < 2; i++) {
      if (g.wanted(i)) {
        g.giveFitted(i, g.head().mul(g.operand(1 - i)));
      }
    }
  }

  public static void quotient(GradientContext g) {
    GradientExpression share = g.head().div(g.operand(1));
    g.giveFitted(0, share);
    if (g.wanted(1)) {
      g.giveFitted(1, share.mul(g.result()).neg());
    }
  }

  /** 0 by a base whose exponent is 0, and by an exponent that is not negative, of base 0. */
  public static void power(GradientContext g) {
    if (g.wanted(0)) {
      Optional<Double> known = g.operandValue(1).filter(it -> it.elementCount() == 1).map(it -> it.doubleAt(0));
      g.giveFitted(0, known.isPresent() ? byBase(g, known.get()) : byBase(g));
    }
    if (g.wanted(1)) {
      GradientExpression base = g.operand(0);
      GradientExpression slope = g.head().mul(g.result().mul(base.log()));
      GradientExpression flat = base.eq(0).logicalAnd(g.operand(1).ge(0));
      g.giveFitted(1, flat.where(slope.scalar(0), slope).astype(g.operandType(1).dtype()));
    }
  }

  private static GradientExpression byBase(GradientContext g, double exponent) {
    GradientExpression base = g.operand(0);
    if (exponent == 0) {
      return g.head().mul(base.scalar(0));
    }
    if (exponent == 2) {
      return g.head().mul(base.mul(2));
    }
    if (exponent == 1) {
      return g.head();
    }
    return g.head().mul(base.pow(g.operand(1).scalar(exponent - 1)).mul(exponent));
  }

  private static GradientExpression byBase(GradientContext g) {
    GradientExpression base = g.operand(0);
    GradientExpression exponent = g.operand(1);
    GradientExpression less = exponent.sub(exponent.scalar(1));
    GradientExpression slope = g.head().mul(exponent.astype(base.type().dtype()).mul(base.pow(less)));
    return exponent.eq(0).where(slope.scalar(0), slope);
  }

  /** The gradient of {@code a - b * trunc(a / b)}, for floats. */
  public static void remainder(GradientContext g) {
    g.giveFitted(0, g.head());
    if (g.wanted(1)) {
      GradientExpression times = g.operand(0).sub(g.result()).div(g.operand(1)).round();
      g.giveFitted(1, g.head().mul(times).neg());
    }
  }

  /** The gradient goes to the first operand that equals the result; NaN counts as equal to NaN. */
  public static void extremum(GradientContext g) {
    GradientExpression rest = g.head();
    int last = g.operands() - 1;
    for (int i = 0; i < last; i++) {
      GradientExpression chosen = g.operand(i).eq(g.result()).logicalOr(g.operand(i).isnan());
      if (g.wanted(i)) {
        g.giveFitted(i, chosen.where(rest));
      }
      rest = chosen.where(rest.scalar(0), rest);
    }
    g.giveFitted(last, rest);
  }

  /** The upper bound wins where the bounds cross. */
  public static void clip(GradientContext g) {
    GradientExpression x = g.operand(0);
    GradientExpression head = g.head();
    if (g.hasOperand(1)) {
      head = x.ge(bound(g, 1)).where(head);
    }
    if (g.hasOperand(2)) {
      head = x.le(bound(g, 2)).where(head);
    }
    g.give(0, head);
    if (g.wanted(1)) {
      GradientExpression below = x.lt(bound(g, 1)).where(g.head());
      giveToBound(g, 1, g.hasOperand(2) ? bound(g, 1).le(bound(g, 2)).where(below) : below);
    }
    if (g.wanted(2)) {
      GradientExpression raised = g.hasOperand(1) ? x.maximum(bound(g, 1)) : x;
      giveToBound(g, 2, raised.gt(bound(g, 2)).where(g.head()));
    }
  }

  private static void giveToBound(GradientContext g, int operand, GradientExpression gradient) {
    g.give(operand, gradient.fit(Shape.SCALAR).reshape(g.operandShape(operand)));
  }

  /** A list of one element counts as a scalar. */
  private static GradientExpression bound(GradientContext g, int operand) {
    return g.operand(operand).reshape(Shape.SCALAR);
  }

  public static void choice(GradientContext g) {
    GradientExpression zero = g.head().scalar(0);
    if (g.wanted(1)) {
      g.giveFitted(1, g.operand(0).where(g.head(), zero));
    }
    if (g.wanted(2)) {
      g.giveFitted(2, g.operand(0).where(zero, g.head()));
    }
  }

  public static void castBack(GradientContext g) {
    g.give(0, g.head().astype(g.operandType(0).dtype()));
  }

  private static GradientExpression rootOfOneMinusSquare(GradientContext g) {
    return g.operand(0).square().oneMinus().sqrt();
  }
}
