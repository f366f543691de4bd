package dev.cairn.runtime.pass.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.gradient.GradientNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The gradient of each entry: the sum of its terms, in the order in which they arose. */
final class TermSums {
  /** Longer sums of half-precision terms are accumulated in {@code float32}. */
  private static final int MOST_HALF_TERMS = 4;

  private final GradientNodes nodes;
  private final Aggregation aggregation;
  private final Map<NodeEntry, List<NodeEntry>> terms = new HashMap<>();
  private final Map<NodeEntry, NodeEntry> sums = new HashMap<>();

  TermSums(GradientNodes nodes, Aggregation aggregation) {
    this.nodes = nodes;
    this.aggregation = aggregation;
  }

  void add(NodeEntry entry, NodeEntry term) {
    terms.computeIfAbsent(entry, _ -> new ArrayList<>()).add(term);
  }

  /** The gradient of an entry to which no more terms are added; empty when it has none. */
  Optional<NodeEntry> of(NodeEntry entry) {
    List<NodeEntry> all = terms.get(entry);
    if (all == null) {
      return Optional.empty();
    }
    return Optional.of(sums.computeIfAbsent(entry, it -> sum(it.node(), all)));
  }

  private NodeEntry sum(Node owner, List<NodeEntry> all) {
    if (aggregation.isOneSum(all.size())) {
      return apply(owner, "Sum", Attributes.NONE, all);
    }
    DType dtype = nodes.type(all.getFirst()).dtype();
    boolean widened = dtype.isHalf() && all.size() > MOST_HALF_TERMS;
    NodeEntry sum = widened ? cast(owner, all.getFirst(), DType.FLOAT32) : all.getFirst();
    for (NodeEntry term : all.subList(1, all.size())) {
      sum = apply(owner, "Add", Attributes.NONE, List.of(sum, widened ? cast(owner, term, DType.FLOAT32) : term));
    }
    return widened ? cast(owner, sum, dtype) : sum;
  }

  private NodeEntry cast(Node owner, NodeEntry entry, DType dtype) {
    return apply(owner, "Cast", Attributes.NONE.with("to", new AttributeValue.Text(dtype.toString())), List.of(entry));
  }

  private NodeEntry apply(Node owner, String operator, Attributes attributes, List<NodeEntry> operands) {
    return nodes.apply(owner, new NodeKind.Apply(operator, attributes, 1), operands).getFirst();
  }
}
