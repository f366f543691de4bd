package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.AssignOrder;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.OperatorTrait;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which products also compute the node that follows, as they store their results. The product moves down to the
 * place of that node, so it does this only when
 *
 * <ul>
 * <li>no other node reads the product, and it is no output
 * <li>the next node has the product's shape, and its results take no more bytes than the product's: they lie in its
 * place
 * <li>neither node has a hint: a node with a hint stays a step of its own
 * <li>no assign must come in between to overwrite a variable that the product reads, and none stores the next node's
 * result right in a variable
 * <li>the product's inputs that nothing reads later take no more bytes than the product, unless nothing runs in
 * between: the move holds them longer
 * <li>the device's kernel of the product takes an epilogue
 * </ul>
 */
final class ProductEpilogues {
  private final Graph graph;
  private final GraphTypes types;
  private final OperatorTable operators;
  private final ProductFusionPass.Device device;
  private final Map<Node, Integer> positions = new HashMap<>();
  private final Map<Node, Set<Node>> readers = new HashMap<>();
  private final Map<Node, Integer> before = new HashMap<>();
  private final Set<Node> given = new HashSet<>();
  private final HeldBytes held;

  private ProductEpilogues(Graph graph, GraphTypes types, OperatorTable operators, ProductFusionPass.Device device) {
    this.graph = graph;
    this.types = types;
    this.operators = operators;
    this.device = device;
    for (Node node : graph.nodes()) {
      positions.put(node, positions.size());
      node.inputs().forEach(read -> readers.computeIfAbsent(read.node(), it -> new HashSet<>()).add(node));
    }
    graph.outputs().forEach(output -> given.add(output.entry().node()));
    AssignOrder.wishes(graph).forEach(wish -> before.merge(wish.first(), position(wish.then()), Math::min));
    this.held = new HeldBytes(graph, types, operators, this::position);
  }

  /** The products that also compute the next node, in the order of these next nodes. */
  static List<EpilogueGroup> find(Graph graph, GraphTypes types, OperatorTable operators,
    ProductFusionPass.Device device) {
    var search = new ProductEpilogues(graph, types, operators, device);
    List<EpilogueGroup> found = new ArrayList<>();
    for (Node node : graph.nodes()) {
      if (search.isPointwise(node)) {
        search.product(node).ifPresent(product -> {
          // From now on the product runs, and reads its inputs, at the place of the node.
          search.positions.put(product.product(), search.position(node));
          found.add(product);
        });
      }
    }
    return found;
  }

  private int position(Node node) {
    return positions.getOrDefault(node, -1);
  }

  private boolean isPointwise(Node node) {
    if (!(node.kind() instanceof NodeKind.Apply kind) || !operators.get(kind.operator()).memory().elementwise()
      || node.notes().binds()
      || readers.getOrDefault(node, Set.of()).stream().anyMatch(it -> it.kind() instanceof NodeKind.Assign)) {
      return false;
    }
    Shape shape = types.type(node.entry()).shape();
    return node.inputs().stream().filter(read -> !read.isAbsent()).map(read -> types.type(read).shape()).allMatch(
      it -> it.rank() <= shape.rank() && it.broadcastWith(shape).equals(shape));
  }

  /** The product that the node reads. Of several products the last one, which has the shortest way to move. */
  private Optional<EpilogueGroup> product(Node node) {
    return node.inputs().stream().map(NodeEntry::node).distinct().filter(it -> isReadOnlyBy(it, node)).sorted(Comparator
      .comparingInt(this::position).reversed()).map(it -> new EpilogueGroup(it, node)).filter(this::gains).findFirst();
  }

  private boolean isReadOnlyBy(Node product, Node node) {
    return product.kind() instanceof NodeKind.Apply kind && kind.outputs() == 1
      && operators.facts(kind.operator()).has(OperatorTrait.PRODUCT)
      && !product.notes().binds() && !given.contains(product)
      && readers.getOrDefault(product, Set.of()).equals(Set.of(node));
  }

  private boolean gains(EpilogueGroup group) {
    TensorType product = types.type(group.product().entry());
    int position = position(group.following());
    return group.inputs().size() <= FusedProductOperator.MOST_INPUTS
      && types.type(group.following().entry()).shape().equals(product.shape())
      && resultBytes(group.following()) <= product.bytes()
      && before.getOrDefault(group.product(), Integer.MAX_VALUE) > position
      && holdsNoMore(group, product.bytes(), position)
      && device.takesEpilogue(group.product(), types, signature(group));
  }

  private long resultBytes(Node node) {
    return node.entries().stream().mapToLong(it -> types.type(it).bytes()).sum();
  }

  private boolean holdsNoMore(EpilogueGroup group, long bytes, int position) {
    boolean isNext = graph.nodes().subList(position(group.product()) + 1, position).stream().noneMatch(held::runs);
    List<NodeEntry> read = group.product().inputs().stream().filter(it -> !it.isAbsent()).toList();
    return isNext || held.heldLonger(read, position) <= bytes;
  }

  private KernelSignature signature(EpilogueGroup group) {
    FusedProduct fused = group.fused(types);
    List<TensorType> results = group.following().entries().stream().map(types::type).toList();
    return new KernelSignature(group.inputs().stream().map(it -> it.isAbsent()
      ? Optional.<TensorType>empty()
      : Optional.of(types.type(it))).toList(), results, fused.all());
  }
}
