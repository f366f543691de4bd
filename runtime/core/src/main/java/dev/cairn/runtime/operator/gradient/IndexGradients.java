package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** Gradients of operators that look up by index. An element that is picked twice gets the sum. */
final class IndexGradients {
  static final List<GradientRow> ROWS = List.of( //
    GradientRow.of("Gather", IndexGradients::picked), //
    GradientRow.of("GatherElements", IndexGradients::picked), //
    GradientRow.of("GatherND", IndexGradients::picked), //
    GradientRow.of("ScatterAdd", g -> g.give(0, g.apply(g.attributes().getText("of", "Gather"), g.attributes().without(
      "of").without("shape"), g.head(), g.operand(1)))), //
    GradientRow.of("ScatterElements", g -> scattered(g, "GatherElements", Attributes.NONE.with("axis", g.attributes()
      .getLong("axis", 0)))), //
    GradientRow.of("ScatterND", g -> scattered(g, "GatherND", Attributes.NONE)), //
    GradientRow.none("OneHot", "not yet"), //
    GradientRow.none("TensorScatter", "not yet"));

  private IndexGradients() {}

  private static void picked(GradientContext g) {
    if (g.wanted(0)) {
      Attributes attributes = g.attributes().with("of", new AttributeValue.Text(g.node.operator())).with("shape",
        AttributeValue.Ints.of(g.operandShape(0).extents()));
      g.give(0, g.apply("ScatterAdd", attributes, g.head(), g.operand(1)));
    }
  }

  /** Places that updates have replaced get nothing; where they were added, both get the head. */
  private static void scattered(GradientContext g, String picker, Attributes attributes) {
    String reduction = g.attributes().getText("reduction", "none");
    if (!reduction.equals("none") && !reduction.equals("add")) {
      throw g.gap("only of reductions none and add: reduction=" + reduction);
    }
    if (g.wanted(0)) {
      NodeEntry kept = reduction.equals("add")
        ? g.head()
        : g.apply(g.node.operator(), g.attributes(), g.head(), g.operand(1), g.filled(g.operandType(2), 0));
      g.give(0, kept);
    }
    if (g.wanted(2)) {
      g.give(2, g.apply(picker, attributes, g.head(), g.operand(1)));
    }
  }
}
