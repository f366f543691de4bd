package dev.cairn.runtime.pass.gradient;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.gradient.GradientExpression;
import dev.cairn.runtime.operator.gradient.GradientNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The gradient of each entry: the sum of its terms, in the order in which they arose. */
final class TermSums {
  /** The most half-precision terms that are added in half precision; longer sums are accumulated in {@code float32}. */
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

  private NodeEntry sum(Node owner, List<NodeEntry> entries) {
    List<GradientExpression> all = entries.stream().map(it -> new GradientExpression(it, owner, nodes)).toList();
    GradientExpression first = all.getFirst();
    List<GradientExpression> others = all.subList(1, all.size());
    if (aggregation.isOneSum(all.size())) {
      return first.addAll(others).entry();
    }
    DType dtype = first.type().dtype();
    DType accumulated = dtype.isHalf() && all.size() > MOST_HALF_TERMS ? DType.FLOAT32 : dtype;
    GradientExpression sum = first.astype(accumulated);
    for (GradientExpression term : others) {
      sum = sum.add(term.astype(accumulated));
    }
    return sum.astype(dtype).entry();
  }
}
