package dev.cairn.runtime.pass.precision;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;

/**
 * Computes a node of 16-bit types in {@code float32} where the device has no kernel for it otherwise, or a slow one.
 * Gradients of a graph in 16 bits may have such nodes.
 *
 * <pre>
 * g = F(x, h)      →      f = F(Cast{to="float32"}(x), Cast{to="float32"}(h))
 *                         g = Cast{to="float16"}(f)
 * </pre>
 */
public final class WideningPass implements Pass {
  private final OperatorTable operators;
  private final BiPredicate<String, KernelSignature> hasKernel;
  private final BiPredicate<String, KernelSignature> isFast;

  /**
   * @param operators whose rows say which products are widened for speed
   * @param hasKernel whether the device serves an operator with such types
   * @param isFast whether it does so by a kernel of a provider
   */
  public WideningPass(OperatorTable operators, BiPredicate<String, KernelSignature> hasKernel,
    BiPredicate<String, KernelSignature> isFast) {
    this.operators = operators;
    this.hasKernel = hasKernel;
    this.isFast = isFast;
  }

  @Override
  public String name() {
    return "widening";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    NodeNames names = NodeNames.of(graph);
    GraphTypes types = context.types();
    return GraphRewriter.rewrite(graph, (old, current) -> old.kind() instanceof NodeKind.Apply kind
      && isWidened(old, kind, types)
        ? widened(old, current, kind, types, names)
        : current.entries());
  }

  /** Whether a product is widened for speed. Products that gradients do not need stay in 16 bits, to save memory. */
  private boolean isWidened(Node node, NodeKind.Apply kind, GraphTypes types) {
    if (node.inputs().stream().noneMatch(it -> !it.isAbsent() && types.type(it).dtype().isHalf())) {
      return false;
    }
    KernelSignature half = signature(node, kind, types, it -> it);
    KernelSignature wide = signature(node, kind, types, WideningPass::wide);
    return hasKernel.test(kind.operator(), half)
      ? operators.facts(kind.operator()).has(OperatorTrait.WIDENS) && isFast.test(kind.operator(), wide)
        && !isFast.test(kind.operator(), half)
      : hasKernel.test(kind.operator(), wide);
  }

  private static TensorType wide(TensorType type) {
    return type.dtype().isHalf() ? new TensorType(DType.FLOAT32, type.shape()) : type;
  }

  /** The signature of a node with changed types. */
  static KernelSignature signature(Node node, NodeKind.Apply kind, GraphTypes types,
    UnaryOperator<TensorType> change) {
    List<Optional<TensorType>> inputs = new ArrayList<>();
    node.inputs().forEach(it -> inputs.add(it.isAbsent()
      ? Optional.empty()
      : Optional.of(change.apply(types.type(
        it)))));
    return new KernelSignature(inputs, node.entries().stream().map(it -> change.apply(types.type(it)))
      .toList(), kind.attributes());
  }

  private static List<NodeEntry> widened(Node old, Node current, NodeKind.Apply kind, GraphTypes types,
    NodeNames names) {
    List<NodeEntry> inputs = new ArrayList<>();
    for (int i = 0; i < old.inputs().size(); i++) {
      NodeEntry before = old.inputs().get(i);
      NodeEntry now = current.inputs().get(i);
      boolean isHalf = !before.isAbsent() && types.type(before).dtype().isHalf();
      inputs.add(isHalf ? cast(names, before.node().name(), now, DType.FLOAT32) : now);
    }
    Node made = Node.apply(old.name(), kind, inputs).withNotes(old.notes());
    List<NodeEntry> results = new ArrayList<>();
    for (int i = 0; i < kind.outputs(); i++) {
      DType dtype = types.type(old.entry(i)).dtype();
      results.add(dtype.isHalf() ? cast(names, old.name(), made.entry(i), dtype) : made.entry(i));
    }
    return results;
  }

  static NodeEntry cast(NodeNames names, String name, NodeEntry value, DType to) {
    return Node.apply(names.unique(name + "/" + to), "Cast", Attributes.NONE.with("to", new AttributeValue.Text(to
      .toString())), List.of(value)).entry();
  }
}
