package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.GatheredRows;
import dev.cairn.kernels.attribute.ScatterForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.util.List;
import java.util.stream.LongStream;

/** Gradients of operators that look up by index. An element that is picked twice gets the sum. */
final class IndexGradients {
  static final List<GradientRow> ROWS = List.of( //
    GradientRow.of("Gather", IndexGradients::picked), //
    GradientRow.of("GatherElements", IndexGradients::picked), //
    GradientRow.of("GatherND", IndexGradients::picked), //
    GradientRow.of("ScatterAdd", g -> g.give(0, g.apply(GatheredRows.picker(g.attributes()), g.attributes().without(
      "of").without("shape"), g.head(), g.operand(1)))), //
    GradientRow.of("ScatterElements",
      g -> scattered(g, "GatherElements", Attributes.NONE.with("axis", AxisForm.ofParts(g.attributes()).axis()))), //
    GradientRow.of("ScatterND", g -> scattered(g, "GatherND", Attributes.NONE)), //
    GradientRow.of("OneHot", IndexGradients::hot), //
    GradientRow.of("TopK", IndexGradients::largest), //
    GradientRow.none("TensorScatter", "not yet"));

  private IndexGradients() {}

  private static void picked(GradientContext g) {
    if (g.wanted(0)) {
      Attributes attributes = g.attributes().with("of", new AttributeValue.Text(g.node.operator())).with("shape",
        AttributeValue.Ints.of(g.operandShape(0).extents()));
      g.give(0, g.apply("ScatterAdd", attributes, g.head(), g.operand(1)));
    }
  }

  private static Attributes along(GradientContext g) {
    return Attributes.NONE.with("axis", AxisForm.ofLines(g.attributes()).axis());
  }

  private static void largest(GradientContext g) {
    GradientExpression places = g.results() > 1
      ? g.result(1)
      : g.applyAll("TopK", g.attributes(), 2, List.of(g.operand(0), g.operand(1))).get(1);
    g.give(0, g.apply("ScatterAdd", along(g).with("of", new AttributeValue.Text("GatherElements")).with("shape",
      AttributeValue.Ints.of(g.operandShape(0).extents())), g.head(), places));
  }

  /** The gradient of the two values {@code off, on}: the sums of the heads where an element is one or the other. */
  private static void hot(GradientContext g) {
    if (!g.wanted(2)) {
      return;
    }
    GradientExpression isOn = g.apply("OneHot", along(g), g.operand(0), g.operand(1), zeroAndOne(g));
    GradientExpression on = g.head().mul(isOn);
    long[] all = LongStream.range(0, isOn.shape().rank()).toArray();
    Shape one = Shape.of(1);
    g.give(2, g.head().sub(on).sumOver(all).reshape(one).concat(0, List.of(on.sumOver(all).reshape(one))));
  }

  private static GradientExpression zeroAndOne(GradientContext g) {
    DType dtype = g.operandType(2).dtype();
    return g.list(dtype, 0).concat(0, List.of(g.list(dtype, 1)));
  }

  /** Places that updates have replaced get nothing; where they were added, both get the head. */
  private static void scattered(GradientContext g, String picker, Attributes attributes) {
    String reduction = ScatterForm.of(g.attributes()).reduction();
    if (!reduction.equals("none") && !reduction.equals("add")) {
      throw g.gap("only of reductions none and add: reduction=" + reduction);
    }
    if (g.wanted(0)) {
      GradientExpression kept = reduction.equals("add")
        ? g.head()
        : g.apply(g.node.operator(), g.attributes(), g.head(), g.operand(1), g.filled(g.operandType(2), 0));
      g.give(0, kept);
    }
    if (g.wanted(2)) {
      g.give(2, g.apply(picker, attributes, g.head(), g.operand(1)));
    }
  }
}
