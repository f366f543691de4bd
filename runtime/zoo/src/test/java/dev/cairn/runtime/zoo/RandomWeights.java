package dev.cairn.runtime.zoo;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives a model that was published without weights, or with made-up ones, others: every {@code float32} tensor that
 * depends on no input becomes a constant of seeded random numbers, fit for where it is read, so that a deep network
 * neither dies out nor blows up.
 *
 * <ul>
 * <li>what {@code Conv} and {@code Gemm} multiply by: uniform, of variance 2 by the number of terms in a sum (He and
 * others 2015)
 * <li>scales and variances: between 0.5 and 1.5
 * <li>biases, means and other addends: between -0.1 and 0.1
 * </ul>
 */
public final class RandomWeights {
  /** Operators that hand on a weight under another shape. */
  private static final Set<String> RESHAPING = Set.of("Unsqueeze", "Squeeze", "Reshape", "Identity");
  private static final double SMALL = 0.1;

  private final GraphTypes types;
  private final WeightSource values;
  private final Map<NodeEntry, Use> uses = new HashMap<>();
  private int replaced;

  /** Where a weight is read. */
  private record Use(String operator, int input, Attributes attributes) {}

  private RandomWeights(Graph graph, GraphTypes types, WeightSource values) {
    this.types = types;
    this.values = values;
    findUses(graph);
  }

  /**
   * The model with other weights, which are native memory, freed when the graph can no longer be reached.
   *
   * @param types of the graph's entries
   * @param seed chooses them, with the names of the nodes
   * @throws IllegalArgumentException when there is nothing to replace, or a weight is read where no rule says what fits
   */
  public static Graph replaced(Graph graph, GraphTypes types, long seed) {
    var weights = new RandomWeights(graph, types, new WeightSource(seed));
    Graph changed = GraphRewriter.rewrite(graph, weights::place);
    if (weights.replaced == 0) {
      throw new IllegalArgumentException("no weights to replace: graph=" + graph.name());
    }
    return changed;
  }

  /** From the end, so that the reader of a reshaped weight is known before the reshaping. */
  private void findUses(Graph graph) {
    for (Node node : graph.nodes().reversed()) {
      if (node.kind() instanceof NodeKind.Apply kind) {
        for (int i = 0; i < node.inputs().size(); i++) {
          Use use = new Use(kind.operator(), i, kind.attributes());
          Use further = RESHAPING.contains(kind.operator()) ? uses.get(node.entry()) : null;
          uses.putIfAbsent(node.inputs().get(i), further == null ? use : further);
        }
      }
    }
  }

  private List<NodeEntry> place(Node old, Node current) {
    boolean fill = old.operator().equals("ConstantOfShape")
      || (old.kind() instanceof NodeKind.Constant(TensorView value) && value.elementCount() > 1);
    Use use = uses.get(old.entry());
    if (!fill || use == null || types.type(old.entry()).dtype() != DType.FLOAT32) {
      return current.entries();
    }
    replaced++;
    return List.of(Node.constant(old.name(), fitting(old.name(), types.type(old.entry()).shape(), use)).entry());
  }

  private TensorView fitting(String name, Shape shape, Use use) {
    return switch (use.operator() + " " + use.input()) {
      case "Conv 1" -> he(name, shape, shape.elementCount(1, shape.rank()));
      case "Gemm 1" -> he(name, shape, use.attributes().getFlag("transB", false) ? shape.extent(1) : shape.extent(0));
      case "BatchNormalization 1", "BatchNormalization 4", "Mul 0", "Mul 1" -> values.uniform(name, shape, 0.5, 1.5);
      case "Conv 2", "Gemm 2", "BatchNormalization 2", "BatchNormalization 3", "Add 0", "Add 1" ->
        values.uniform(name, shape, -SMALL, SMALL);
      default -> throw new IllegalArgumentException("no rule says what weights fit: use=" + use);
    };
  }

  private TensorView he(String name, Shape shape, long terms) {
    double bound = Math.sqrt(6.0 / terms);
    return values.uniform(name, shape, -bound, bound);
  }
}
