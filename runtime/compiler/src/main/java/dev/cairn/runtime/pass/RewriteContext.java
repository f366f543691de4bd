package dev.cairn.runtime.pass;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Optional;

/**
 * Gives a {@link NodeRule} the types and readers of the old graph, and unique names for new nodes. One object serves
 * one rewrite of a graph; not thread-safe.
 */
public final class RewriteContext {
  private final PassContext facts;
  private final Readers readers;
  private final NodeNames names;

  RewriteContext(Graph graph, PassContext facts) {
    this.facts = facts;
    this.readers = new Readers(graph);
    this.names = NodeNames.of(graph);
  }

  /** @throws IllegalStateException when the rule does not require {@link Fact#TYPES} */
  public GraphTypes types() {
    return facts.types();
  }

  /** The type of an entry of the old graph. */
  public TensorType type(NodeEntry old) {
    return types().type(old);
  }

  /** The row of a node's operator; empty for a node of another kind, or an operator that is not an ONNX one. */
  public Optional<OperatorDefinition> row(Node node) {
    return node.kind() instanceof NodeKind.Apply apply
      ? StandardOperators.table().find(apply.operator())
      : Optional.empty();
  }

  /** Whether a node's operator has a trait. */
  public boolean has(Node node, OperatorTrait trait) {
    return row(node).filter(it -> it.facts().has(trait)).isPresent();
  }

  /** How often nodes and outputs of the old graph read one of its entries. */
  public int readers(NodeEntry old) {
    return readers.of(old);
  }

  /** The wanted name, or with a number behind it when another node has the name. */
  public String unique(String wanted) {
    return names.unique(wanted);
  }

  /** A new constant, whose name is {@link #unique}. */
  public NodeEntry constant(String wanted, TensorView value) {
    return Node.constant(unique(wanted), value).entry();
  }
}
