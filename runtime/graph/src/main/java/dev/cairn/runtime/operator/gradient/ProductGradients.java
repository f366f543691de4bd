package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.EinsumEquation;
import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Gradients of products of matrices. */
final class ProductGradients {
  static final List<GradientRow> ROWS = List.of( //
    GradientRow.of("Gemm", ProductGradients::gemm), //
    GradientRow.of("MatMul", ProductGradients::matmul), //
    GradientRow.of("Einsum", ProductGradients::einsum), //
    GradientRow.of("Det", g -> g.give(0, g.apply("DetGradient", g.operand(0), g.head()))), //
    GradientRow.none("DetGradient", "second derivatives are not built"));

  private ProductGradients() {}

  private static Attributes transposed(boolean left, boolean right) {
    return Attributes.NONE.with("transA", left ? 1 : 0).with("transB", right ? 1 : 0);
  }

  /** {@code Y = alpha A' B' + beta C}, where {@code A'} and {@code B'} may be transposed. */
  private static void gemm(GradientContext g) {
    GemmForm form = GemmForm.of(g.attributes());
    float alpha = form.alpha();
    boolean left = form.transA();
    boolean right = form.transB();
    NodeEntry a = g.operand(0);
    NodeEntry b = g.operand(1);
    NodeEntry h = g.head();
    if (g.wanted(0)) {
      g.give(0, left ? scaled(g, alpha, right, true, b, h) : scaled(g, alpha, false, !right, h, b));
    }
    if (g.wanted(1)) {
      g.give(1, right ? scaled(g, alpha, true, left, h, a) : scaled(g, alpha, !left, false, a, h));
    }
    if (g.wanted(2)) {
      g.giveFitted(2, g.mul(h, form.beta()));
    }
  }

  private static NodeEntry scaled(GradientContext g, float alpha, boolean transA, boolean transB, NodeEntry a,
    NodeEntry b) {
    Attributes attributes = transposed(transA, transB);
    return g.apply("Gemm", alpha == 1 ? attributes : attributes.with("alpha", new AttributeValue.Real(alpha)), a, b);
  }

  /** As NumPy: a vector is a row at the left and a column at the right, and batch axes broadcast. */
  private static void matmul(GradientContext g) {
    Shape left = matrix(g.operandShape(0), true);
    Shape right = matrix(g.operandShape(1), false);
    NodeEntry a = g.reshape(g.operand(0), left);
    NodeEntry b = g.reshape(g.operand(1), right);
    NodeEntry h = g.reshape(g.head(), product(left, right));
    if (right.rank() == 2) {
      plain(g, flat(g, a), b, flat(g, h));
      return;
    }
    if (g.wanted(0)) {
      give(g, 0, left, g.apply("MatMul", h, swapped(g, b)));
    }
    if (g.wanted(1)) {
      give(g, 1, right, g.apply("MatMul", swapped(g, a), h));
    }
  }

  /** Of two matrices: those of a batch at the left are one. */
  private static void plain(GradientContext g, NodeEntry a, NodeEntry b, NodeEntry h) {
    if (g.wanted(0)) {
      g.give(0, g.reshape(g.apply("Gemm", transposed(false, true), h, b), g.operandShape(0)));
    }
    if (g.wanted(1)) {
      g.give(1, g.reshape(g.apply("Gemm", transposed(true, false), a, h), g.operandShape(1)));
    }
  }

  private static void give(GradientContext g, int operand, Shape matrix, NodeEntry gradient) {
    g.give(operand, g.reshape(g.fit(gradient, matrix), g.operandShape(operand)));
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
  private static NodeEntry flat(GradientContext g, NodeEntry entry) {
    Shape shape = g.shape(entry);
    return g.reshape(entry, Shape.of(shape.elementCount(0, shape.rank() - 1), shape.extent(-1)));
  }

  /** The last two axes exchanged. */
  private static NodeEntry swapped(GradientContext g, NodeEntry entry) {
    int rank = g.shape(entry).rank();
    long[] order = new long[rank];
    Arrays.setAll(order, axis -> axis < rank - 2 ? axis : 2L * rank - 3 - axis);
    return g.transpose(entry, order);
  }

  /**
   * The same equation with the result and one operand exchanged. Letters of the operand that neither the result nor
   * another operand has are those of a further operand of ones.
   */
  private static void einsum(GradientContext g) {
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
    List<NodeEntry> factors = new ArrayList<>(List.of(g.head()));
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
    g.give(operand, g.apply("Einsum", Attributes.NONE.with("equation", new AttributeValue.Text(equation)), factors
      .toArray(NodeEntry[]::new)));
  }
}
