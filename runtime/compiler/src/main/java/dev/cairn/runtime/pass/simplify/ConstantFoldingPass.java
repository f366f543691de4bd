package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Computation;
import dev.cairn.runtime.graph.ConstantSource;
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
import dev.cairn.runtime.pass.PassReport;
import dev.cairn.runtime.pass.Readers;
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
 * Small results are computed now. Large ones are only described, as a {@link ConstantSource}, and computed when the
 * constant is stored: then nothing is held that no step reads, and graphs for other input shapes find them stored.
 *
 * <p>How much memory folding may cost, a node at a time and in the graph's order:
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
  /** From how many sources one deferred constant may be made: how deep, and how often one may be computed again. */
  static final int MOST_SOURCES = 64;
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
  public Set<Fact<?>> requires() {
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

    List<NodeEntry> rewrite(Node old, Node read) {
      Node current = asCast(old, read);
      if (!(current.kind() instanceof NodeKind.Apply kind)) {
        return current.entries();
      }
      List<TensorType> results = old.entries().stream().map(types::type).toList();
      List<Optional<ConstantSource>> inputs = constants(current);
      List<Optional<TensorView>> known = old.entries().stream().map(types::value).toList();
      boolean allKnown = known.stream().allMatch(Optional::isPresent);
      if ((!allKnown && inputs == null) || !admits(kind.operator(), results, freed(old, current))) {
        return current.entries();
      }
      List<NodeEntry> place = allKnown || inputs == null
        ? constants(current, results, known.stream().flatMap(Optional::stream).toList())
        : folded(current, inputs, results);
      if (!place.equals(current.entries())) {
        hold(kind.operator(), bytes(results), freed(old, current));
      }
      return place;
    }

    /** Makes {@code Cast} of a constant's {@code CastLike}, for which only the type of the other operand matters. */
    private Node asCast(Node old, Node current) {
      boolean isConstant = current.operator().equals(Operators.CAST_LIKE) && current.inputs().get(0).node().constant()
        .isPresent();
      return isConstant
        ? Node.apply(current.name(), Operators.CAST,
          current.kind().attributes().with("to", new AttributeValue.Text(types.type(
            old.entry()).dtype().toString())),
          current.inputs().subList(0, 1))
        : current;
    }

    private List<NodeEntry> folded(Node node, List<Optional<ConstantSource>> inputs, List<TensorType> results) {
      if (bytes(results) <= SMALL_BYTES) {
        Optional<List<TensorView>> values = given(inputs).flatMap(it -> evaluator.evaluate(node, it, results));
        if (values.isPresent()) {
          return constants(node, results, values.get());
        }
      }
      if (ConstantSource.Computed.sizeOver(inputs) > MOST_SOURCES) {
        return node.entries();
      }
      List<Optional<TensorType>> read = inputs.stream().map(input -> input.map(ConstantSource::type)).toList();
      return evaluator.computation(node, read, results).map(it -> deferred(node, it, inputs, results))
        .orElseGet(() -> node.entries());
    }

    /** Empty when one of them is not computed yet. */
    private static Optional<List<Optional<TensorView>>> given(List<Optional<ConstantSource>> inputs) {
      List<Optional<TensorView>> views = new ArrayList<>();
      for (Optional<ConstantSource> input : inputs) {
        if (input.isPresent() && !(input.get() instanceof ConstantSource.Given)) {
          return Optional.empty();
        }
        views.add(input.map(it -> ((ConstantSource.Given) it).value()));
      }
      return Optional.of(views);
    }

    /** The values of what a node reads; null when it reads something that is no constant. */
    private static @Nullable List<Optional<ConstantSource>> constants(Node node) {
      var sources = new ArrayList<Optional<ConstantSource>>();
      for (NodeEntry input : node.inputs()) {
        Optional<ConstantSource> source = input.node().constant();
        if (source.isEmpty() && !input.isAbsent()) {
          return null;
        }
        sources.add(source);
      }
      return sources;
    }

    private boolean admits(String operator, List<TensorType> results, long freed) {
      long bytes = bytes(results);
      return bytes <= SMALL_BYTES
        || operator.equals(Operators.CONSTANT_OF_SHAPE)
        || heldBytes + bytes - freed <= 2 * ownBytes;
    }

    private void hold(String operator, long bytes, long freed) {
      heldBytes += bytes - freed;
      if (operator.equals(Operators.CONSTANT_OF_SHAPE)) {
        ownBytes += bytes;
      }
    }

    /** Bytes of the constants that nothing but this node reads. */
    private long freed(Node old, Node current) {
      long bytes = 0;
      for (int i = 0; i < current.inputs().size(); i++) {
        Optional<ConstantSource> source = current.inputs().get(i).node().constant();
        if (source.isPresent() && readers.of(old.inputs().get(i)) == 1) {
          bytes += source.get().type().bytes();
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
        place.add(Node.constant(name(node, i), values.get(i)).entry());
      }
      return place;
    }

    private List<NodeEntry> deferred(Node node, Computation computation, List<Optional<ConstantSource>> inputs,
      List<TensorType> results) {
      var place = new ArrayList<NodeEntry>();
      for (int i = 0; i < results.size(); i++) {
        place.add(Node.deferred(name(node, i), new ConstantSource.Computed(computation, inputs, results, i)).entry());
      }
      return place;
    }

    private String name(Node node, int result) {
      return node.kind().outputs() == 1 ? node.name() : names.unique(node.name() + "/" + result);
    }
  }
}
