package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.Readers;
import dev.cairn.runtime.pass.PassReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes before the first run what is the same for every run: entries whose value type inference knows already, and
 * nodes that read nothing but constants.
 *
 * <pre>
 * x = input float32[2x3]             x = input float32[2x3]
 * s = Shape(x)                       t = constant float32[3x2]
 * c = ConstantOfShape(s)       →     y = MatMul(x, t)
 * t = Transpose(c)                   return y=y
 * y = MatMul(x, t)
 * return y=y
 * </pre>
 *
 * How much memory that may cost, a node at a time and in the graph's order:
 *
 * <ul>
 * <li>results of at most {@value #SMALL_BYTES} bytes are always folded
 * <li>{@code ConstantOfShape} is always folded: it is how models without stored weights have their weights
 * <li>anything else is folded while the constants take, after it, at most twice the bytes they had before the walk
 * (those {@code ConstantOfShape} made during the walk count as had before). Constants that only the folded node read
 * are given back
 * </ul>
 */
public final class ConstantFoldingPass implements Pass {
  static final long SMALL_BYTES = 64 << 10;
  private final ValueEvaluator evaluator;

  /** @param evaluator computes what type inference found too large */
  public ConstantFoldingPass(ValueEvaluator evaluator) {
    this.evaluator = evaluator;
  }

  @Override
  public String name() {
    return "constant-folding";
  }

  @Override
  public Set<Fact> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    return GraphRewriter.rewrite(graph, new Walk(evaluator, context.types(), graph)::rewrite);
  }

  /** One walk over one graph. */
  private static final class Walk {
    private final ValueEvaluator evaluator;
    private final GraphTypes types;
    private final Readers readers;
    private final NodeNames names;
    private long ownBytes;
    private long heldBytes;

    Walk(ValueEvaluator evaluator, GraphTypes types, Graph graph) {
      this.evaluator = evaluator;
      this.types = types;
      this.readers = new Readers(graph);
      this.names = NodeNames.of(graph);
      this.ownBytes = PassReport.Size.of(graph).constantBytes();
      this.heldBytes = ownBytes;
    }

    List<NodeEntry> rewrite(Node old, Node current) {
      if (!(current.kind() instanceof NodeKind.Apply kind)) {
        return GraphRewriter.entries(current);
      }
      List<TensorType> results = GraphRewriter.entries(old).stream().map(types::type).toList();
      List<Optional<TensorView>> inputs = constants(current);
      List<Optional<TensorView>> known = GraphRewriter.entries(old).stream().map(types::value).toList();
      boolean allKnown = known.stream().allMatch(Optional::isPresent);
      if ((!allKnown && inputs == null) || !admits(kind.operator(), results, freed(old, current))) {
        return GraphRewriter.entries(current);
      }
      Optional<List<TensorView>> values = allKnown || inputs == null
        ? Optional.of(known.stream().flatMap(Optional::stream).toList())
        : evaluator.evaluate(current, inputs, results);
      if (values.isEmpty()) {
        return GraphRewriter.entries(current);
      }
      hold(kind.operator(), bytes(results), freed(old, current));
      return constants(current, results, values.get());
    }

    /** The values of what a node reads; null when it reads something that is no constant. */
    private static @Nullable List<Optional<TensorView>> constants(Node node) {
      var values = new ArrayList<Optional<TensorView>>();
      for (NodeEntry input : node.inputs()) {
        switch (input.node().kind()) {
          case NodeKind.Constant(TensorView value) -> values.add(Optional.of(value));
          case NodeKind.Absent absent -> values.add(Optional.empty());
          default -> {
            return null;
          }
        }
      }
      return values;
    }

    private boolean admits(String operator, List<TensorType> results, long freed) {
      long bytes = bytes(results);
      return bytes <= SMALL_BYTES
        || operator.equals("ConstantOfShape")
        || heldBytes + bytes - freed <= 2 * ownBytes;
    }

    private void hold(String operator, long bytes, long freed) {
      heldBytes += bytes - freed;
      if (operator.equals("ConstantOfShape")) {
        ownBytes += bytes;
      }
    }

    /** Bytes of the constants that nothing but this node reads. */
    private long freed(Node old, Node current) {
      long bytes = 0;
      for (int i = 0; i < old.inputs().size(); i++) {
        if (current.inputs().get(i).node().kind() instanceof NodeKind.Constant(TensorView value)
          && readers.of(old.inputs().get(i)) == 1) {
          bytes += value.type().bytes();
        }
      }
      return bytes;
    }

    private static long bytes(List<TensorType> types) {
      return types.stream().mapToLong(TensorType::bytes).sum();
    }

    private List<NodeEntry> constants(Node node, List<TensorType> types, List<TensorView> values) {
      if (!values.stream().map(TensorView::type).toList().equals(types)) {
        throw new AssertionError("values of other types than inferred: node=%s types=%s values=%s"
          .formatted(node, types, values));
      }
      var place = new ArrayList<NodeEntry>();
      for (int i = 0; i < values.size(); i++) {
        String name = values.size() == 1 ? node.name() : names.unique(node.name() + "/" + i);
        place.add(Node.constant(name, NativeTensor.of(values.get(i))).entry());
      }
      return place;
    }
  }
}
