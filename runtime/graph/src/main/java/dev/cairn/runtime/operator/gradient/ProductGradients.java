package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.EinsumEquation;
import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Gradients of products of matrices. */
public final class ProductGradients {
  private ProductGradients() {}

  public static void determinant(GradientContext g) {
    g.give(0, g.apply("DetGradient", g.operand(0), g.head()));
  }

  private static Attributes transposed(boolean left, boolean right) {
    return Attributes.NONE.with("transA", left ? 1 : 0).with("transB", right ? 1 : 0);
  }

  /** {@code Y = alpha A' B' + beta C}, where {@code A'} and {@code B'} may be transposed. */
  public static void gemm(GradientContext g) {
    GemmForm form = GemmForm.of(g.attributes());
    float alpha = form.alpha();
    boolean left = form.transA();
    boolean right = form.transB();
    GradientExpression a = g.operand(0);
    GradientExpression b = g.operand(1);
    GradientExpression h = g.head();
    if (g.wanted(0)) {
      g.give(0, left ? scaled(alpha, right, true, b, h) : scaled(alpha, false, !right, h, b));
    }
    if (g.wanted(1)) {
      g.give(1, right ? scaled(alpha, true, left, h, a) : scaled(alpha, !left, false, a, h));
    }
    if (g.wanted(2)) {
      g.giveFitted(2, h.mul(form.beta()));
    }
  }

  private static GradientExpression scaled(float alpha, boolean transA, boolean transB, GradientExpression a,
    GradientExpression b) {
    Attributes attributes = transposed(transA, transB);
    return a.gemm(alpha == 1 ? attributes : attributes.with("alpha", new AttributeValue.Real(alpha)), List.of(b));
  }

  /**
   * The gradient of a product as in NumPy: a vector is a row at the left and a column at the right, and batch axes
   * broadcast.
   */
  public static void matmul(GradientContext g) {
    Shape left = matrix(g.operandShape(0), true);
    Shape right = matrix(g.operandShape(1), false);
    GradientExpression a = g.operand(0).reshape(left);
    GradientExpression b = g.operand(1).reshape(right);
    GradientExpression h = g.head().reshape(product(left, right));
    if (right.rank() == 2) {
      plain(g, flat(a), b, flat(h));
      return;
    }
    if (g.wanted(0)) {
      give(g, 0, left, h.matmul(swapped(b)));
    }
    if (g.wanted(1)) {
      give(g, 1, right, swapped(a).matmul(h));
    }
  }

  /** The gradients of a product of two matrices; the matrices of a batch at the left count as one. */
  private static void plain(GradientContext g, GradientExpression a, GradientExpression b, GradientExpression h) {
    if (g.wanted(0)) {
      g.give(0, h.gemm(transposed(false, true), List.of(b)).reshape(g.operandShape(0)));
    }
    if (g.wanted(1)) {
      g.give(1, a.gemm(transposed(true, false), List.of(h)).reshape(g.operandShape(1)));
    }
  }

  private static void give(GradientContext g, int operand, Shape matrix, GradientExpression gradient) {
    g.give(operand, gradient.fit(matrix).reshape(g.operandShape(operand)));
  }

  private static Shape matrix(Shape shape, boolean row) {
    if (shape.rank() > 1) {
      return shape;
    }
    return row ? Shape.of(1, shape.extent(0)) : Shape.of(shape.extent(0), 1);
  }

  private static Shape product(Shape left, Shape right) {
    Shape batch = Shape.of(Arrays.copyOf(left.extents(), left.rank() - 2)).broadcastWith(Shape.of(Arrays.copyOf(right
      .extents(), right.rank() - 2)));
    long[] extents = Arrays.copyOf(batch.extents(), batch.rank() + 2);
    extents[batch.rank()] = left.extent(-2);
    extents[batch.rank() + 1] = right.extent(-1);
    return Shape.of(extents);
  }

  /** All axes but the last as one. */
  private static GradientExpression flat(GradientExpression entry) {
    Shape shape = entry.shape();
    return entry.reshape(Shape.of(shape.elementCount(0, shape.rank() - 1), shape.extent(-1)));
  }

  /** The last two axes exchanged. */
  private static GradientExpression swapped(GradientExpression entry) {
    int rank = entry.shape().rank();
    long[] order = new long[rank];
    Arrays.setAll(order, axis -> axis < rank - 2 ? axis : 2L * rank - 3 - axis);
    return entry.transpose(order);
  }

  /**
   * The same equation with the result and one operand exchanged. Letters of the operand that neither the result nor
   * another operand has are those of a further operand of ones.
   */
  public static void einsum(GradientContext g) {
    String[] sides = EinsumEquation.text(g.attributes()).replace(" ", "").split("->", -1);
    String[] terms = sides[0].split(",", -1);
    if (sides.length < 2) {
      throw g.gap("write the result into the equation: " + sides[0]);
    }
    for (int i = 0; i < terms.length; i++) {
      if (g.wanted(i)) {
        String term = terms[i];
        if (term.contains(".") || term.chars().distinct().count() < term.length()) {
          throw g.gap("a term with an ellipsis or a diagonal has none yet: " + term);
        }
        exchange(g, i, terms, sides[1]);
      }
    }
  }

  private static void exchange(GradientContext g, int operand, String[] terms, String result) {
    List<String> names = new ArrayList<>(List.of(result));
    List<GradientExpression> factors = new ArrayList<>(List.of(g.head()));
    for (int i = 0; i < terms.length; i++) {
      if (i != operand) {
        names.add(terms[i]);
        factors.add(g.operand(i));
      }
    }
    String known = String.join("", names);
    String alone = terms[operand].chars().filter(letter -> known.indexOf(letter) < 0).collect(StringBuilder::new,
      StringBuilder::appendCodePoint, StringBuilder::append).toString();
    if (!alone.isEmpty()) {
      long[] extents = alone.chars().mapToLong(letter -> g.operandShape(operand).extent(terms[operand].indexOf(
        letter))).toArray();
      names.add(alone);
      factors.add(g.filled(g.operandType(operand).withShape(Shape.of(extents)), 1));
    }
    String equation = String.join(",", names) + "->" + terms[operand];
    g.give(operand, g.again(Attributes.NONE.with("equation", new AttributeValue.Text(equation)), factors
      .toArray(GradientExpression[]::new)));
  }
}
