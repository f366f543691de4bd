package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.GatheredRows;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.ScatterForm;
import dev.cairn.kernels.tensor.Shape;
import java.util.List;
import java.util.stream.LongStream;

/** Gradients of operators that look up by index. An element that is picked twice gets the sum. */
public final class IndexGradients {
  private IndexGradients() {}

  /** The gradient of sums at indexes: picks, from the head, the elements at these indexes. */
  public static void sums(GradientContext g) {
    g.give(0, g.apply(GatheredRows.picker(g.attributes()), g.attributes().without("of").without("shape"), g.head(), g
      .operand(1)));
  }

  public static void scatteredElements(GradientContext g) {
    scattered(g, Operators.GATHER_ELEMENTS, Attributes.NONE.with("axis", AxisForm.ofParts(g.attributes()).axis()));
  }

  public static void scatteredSlices(GradientContext g) {
    scattered(g, Operators.GATHER_ND, Attributes.NONE);
  }

  public static void picked(GradientContext g) {
    if (g.wanted(0)) {
      Attributes attributes = g.attributes().with("of", new AttributeValue.Text(g.operator())).with("shape",
        AttributeValue.Ints.of(g.operandShape(0).extents()));
      g.give(0, g.apply(Operators.SCATTER_ADD, attributes, g.head(), g.operand(1)));
    }
  }

  private static Attributes along(GradientContext g) {
    return Attributes.NONE.with("axis", AxisForm.ofLines(g.attributes()).axis());
  }

  public static void largest(GradientContext g) {
    GradientExpression places = g.results() > 1
      ? g.result(1)
      : g.applyAll(g.operator(), g.attributes(), 2, List.of(g.operand(0), g.operand(1))).get(1);
    g.give(0,
      g.apply(Operators.SCATTER_ADD,
        along(g).with("of", new AttributeValue.Text(Operators.GATHER_ELEMENTS)).with("shape",
          AttributeValue.Ints.of(g.operandShape(0).extents())),
        g.head(), places));
  }

  /** The gradient of the two values {@code off, on}: the sums of the heads where an element is one or the other. */
  public static void hot(GradientContext g) {
    if (!g.wanted(2)) {
      return;
    }
    GradientExpression zeroAndOne = g.longs(0, 1).astype(g.operandType(2).dtype());
    GradientExpression isOn = g.again(along(g), g.operand(0), g.operand(1), zeroAndOne);
    GradientExpression on = g.head().mul(isOn);
    long[] all = LongStream.range(0, isOn.shape().rank()).toArray();
    Shape one = Shape.of(1);
    g.give(2, g.head().sub(on).sumOver(all).reshape(one).concat(0, List.of(on.sumOver(all).reshape(one))));
  }

  /** Elements that updates have replaced get no gradient; if updates were added, data and updates both get the head. */
  private static void scattered(GradientContext g, String picker, Attributes attributes) {
    String reduction = ScatterForm.of(g.attributes()).reduction();
    if (!reduction.equals("none") && !reduction.equals("add")) {
      throw g.gap("only of reductions none and add: reduction=" + reduction);
    }
    if (g.wanted(0)) {
      GradientExpression kept = reduction.equals("add")
        ? g.head()
        : g.again(g.attributes(), g.head(), g.operand(1), g.filled(g.operandType(2), 0));
      g.give(0, kept);
    }
    if (g.wanted(2)) {
      g.give(2, g.apply(picker, attributes, g.head(), g.operand(1)));
    }
  }
}
