package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Makes one node of a product or convolution and the elementwise node that follows, if the device's kernel can compute
 * both before it stores a result. Runs after {@link PointwiseFusionPass}.
 *
 * <pre>
 * c = Conv(x, w)
 * y = FusedPointwise{… Add(x0, x1) … Relu(%0) …}(c, r)   →   y = FusedProduct{product="Conv", …}(x, w, _, r)
 * return y=y                                                 return y=y
 * </pre>
 */
public final class ProductFusionPass implements Pass {
  private final OperatorTable operators;
  private final BiFunction<Graph, GraphTypes, List<EpilogueGroup>> search;

  /** The facts of the device that the pass asks for. */
  @FunctionalInterface
  public interface Device {
    /**
     * Whether the device runs the product by a kernel that takes an epilogue.
     *
     * @param fused describes the node that would take the place of the product and the next node
     */
    boolean takesEpilogue(Node product, GraphTypes types, KernelSignature fused);
  }

  private ProductFusionPass(OperatorTable operators, BiFunction<Graph, GraphTypes, List<EpilogueGroup>> search) {
    this.operators = operators;
    this.search = search;
  }

  /** @param operators all that the graph may have, those of fusion included */
  public ProductFusionPass(OperatorTable operators, Device device) {
    this(operators, (graph, types) -> ProductEpilogues.find(graph, types, operators, device));
  }

  /**
   * A pass that makes the same nodes as in another graph, which differed only in extents before fusion.
   *
   * @param operators as above
   * @throws IllegalArgumentException by {@link #apply}, when the graph cannot have them
   */
  public static ProductFusionPass like(Graph fused, OperatorTable operators) {
    return new ProductFusionPass(operators, (graph, types) -> alike(fused, graph, types));
  }

  private static List<EpilogueGroup> alike(Graph fused, Graph graph, GraphTypes types) {
    var nodes = new NodesByName(graph, types);
    List<EpilogueGroup> groups = new ArrayList<>();
    for (Node node : fused.nodes()) {
      if (node.operator().equals(FusedProduct.OPERATOR)) {
        var group = new EpilogueGroup(nodes.find(FusionMap.nodesOf(node).getFirst()), nodes.find(node.name()));
        nodes.requireShape(group.product(), types.type(group.following().entry()).shape());
        groups.add(group);
      }
    }
    return groups;
  }

  @Override
  public String name() {
    return "product-fusion";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    GraphTypes types = context.types();
    List<EpilogueGroup> groups = search.apply(graph, types);
    if (groups.isEmpty()) {
      return graph;
    }
    Map<Node, EpilogueGroup> followed = new HashMap<>();
    groups.forEach(group -> followed.put(group.following(), group));
    Map<NodeEntry, NodeEntry> moved = new HashMap<>();
    return GraphRewriter.rewrite(graph, (old, current) -> {
      EpilogueGroup group = followed.get(old);
      // No node reads the product itself any more, so it is gone.
      Node placed = group == null ? current : group.fused(types, operators, it -> moved.getOrDefault(it, it));
      List<NodeEntry> place = placed.entries();
      for (int i = 0; i < place.size(); i++) {
        moved.put(old.entry(i), place.get(i));
      }
      return place;
    });
  }
}
