package dev.cairn.runtime.expression;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.List;
import java.util.function.UnaryOperator;

/** Makes the nodes of a {@link GraphExpression}, and gives them their names. */
public interface NodeMaker {
  NodeEntry constant(TensorView value);

  /**
   * Applies an operator.
   *
   * @param operands without absent ones at the end
   * @return all results
   */
  List<NodeEntry> apply(NodeKind.Apply kind, List<NodeEntry> operands);

  /** @param names gives a node its name, from the operator's name or {@code constant} */
  static NodeMaker named(UnaryOperator<String> names) {
    return new NodeMaker() {
      @Override
      public NodeEntry constant(TensorView value) {
        return Node.constant(names.apply("constant"), value).entry();
      }

      @Override
      public List<NodeEntry> apply(NodeKind.Apply kind, List<NodeEntry> operands) {
        return Node.apply(names.apply(kind.operator()), kind, operands).entries();
      }
    };
  }

  /** Adds the nodes to a graph, in the builder's scope and with its notes. */
  static NodeMaker of(GraphBuilder builder) {
    return new NodeMaker() {
      @Override
      public NodeEntry constant(TensorView value) {
        return builder.constant("constant", value);
      }

      @Override
      public List<NodeEntry> apply(NodeKind.Apply kind, List<NodeEntry> operands) {
        return builder.applyForAll(kind.operator(), kind.attributes(), kind.outputs(), operands.toArray(
          NodeEntry[]::new));
      }
    };
  }
}
