package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.graph.Scalars;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the nodes of gradients: each has a name that begins with its forward node's, and types that are known at once.
 * Equal constants are one node. Not thread-safe.
 */
public final class GradientNodes {
  private final ResultTypes resultTypes;
  private final GraphTypes known;
  private final NodeNames names;
  private final Map<NodeEntry, TensorType> types = new HashMap<>();
  private final Map<Object, NodeEntry> constants = new HashMap<>();

  /**
   * @param resultTypes finds the types of new nodes
   * @param known the types of the forward graph
   * @param names gives names to new nodes
   */
  public GradientNodes(ResultTypes resultTypes, GraphTypes known, NodeNames names) {
    this.resultTypes = resultTypes;
    this.known = known;
    this.names = names;
  }

  private record Scalar(DType dtype, double value) {}

  /**
   * Applies an operator.
   *
   * @param owner the forward node; the name of the new node begins with its name
   */
  public List<NodeEntry> apply(Node owner, NodeKind.Apply kind, List<NodeEntry> operands) {
    Node node = Node.apply(name(owner, kind.operator()), kind, operands);
    return typed(node, resultTypes.of(node, this::type, this::value));
  }

  /**
   * Applies two branches.
   *
   * @param types of the results
   */
  public List<NodeEntry> branch(Node owner, NodeKind.Branch kind, List<NodeEntry> operands, List<TensorType> types) {
    return typed(Node.control(name(owner, "If"), kind, operands), types);
  }

  private List<NodeEntry> typed(Node node, List<TensorType> results) {
    for (int i = 0; i < results.size(); i++) {
      types.put(node.entry(i), results.get(i));
    }
    return node.entries();
  }

  private String name(Node owner, String what) {
    return names.unique(owner.name() + "/gradient/" + what);
  }

  /** A list of whole numbers, such as axes or a shape. */
  public NodeEntry longs(Node owner, long... values) {
    return constants.computeIfAbsent(Arrays.stream(values).boxed().toList(), _ -> constant(owner, TensorView.ofLongs(
      values)));
  }

  /** A number of rank 0. */
  public NodeEntry scalar(Node owner, DType dtype, double value) {
    return constants.computeIfAbsent(new Scalar(dtype, value), _ -> constant(owner, Scalars.of(dtype, value)));
  }

  /** A list of one number, such as a scale. */
  public NodeEntry list(Node owner, DType dtype, double value) {
    return constant(owner, Scalars.of(dtype, value).reshaped(Shape.of(1)));
  }

  /** A tensor of which all elements are one number. */
  public NodeEntry filled(Node owner, TensorType type, double value) {
    var fill = new AttributeValue.Tensor(Scalars.of(type.dtype(), value).reshaped(Shape.of(1)));
    var kind = new NodeKind.Apply(Operators.CONSTANT_OF_SHAPE, Attributes.NONE.with("value", fill), 1);
    return apply(owner, kind, List.of(longs(owner, type.shape().extents()))).getFirst();
  }

  /** A constant of its own. */
  NodeEntry constant(Node owner, TensorView value) {
    NodeEntry entry = Node.constant(name(owner, "constant"), value).entry();
    types.put(entry, value.type());
    return entry;
  }

  /** The type of an entry of the forward graph, or of a new node. */
  public TensorType type(NodeEntry entry) {
    TensorType type = types.get(entry);
    return type != null ? type : known.type(entry);
  }

  /** The value of an entry, if it is the same for every run. */
  public Optional<TensorView> value(NodeEntry entry) {
    return entry.node().kind() instanceof NodeKind.Constant(TensorView value) ? Optional.of(value) : known.value(entry);
  }

  /** The types of the forward graph and of all nodes made so far. */
  public GraphTypes types() {
    return known.with(types);
  }
}
