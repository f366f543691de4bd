package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Computes once what is computed twice: nodes of the same kind over the same entries become the first of them, and so
 * do equal constants of up to {@value #MAX_CONSTANT_BYTES} bytes.
 *
 * <pre>
 * a = Relu(x)                    a = Relu(x)
 * b = Relu(x)               →    y = Add(a, a)
 * y = Add(a, b)                  return y=y
 * return y=y
 * </pre>
 *
 * {@code Dropout} stays: when training, two of them draw different random numbers. So do operators that are not pure.
 * Nodes of two groups of devices stay too, and so do nodes of which one alone is recomputed.
 */
public final class CommonSubexpressionPass implements Pass {
  /** Larger constants are weights, which are seldom equal and slow to compare. */
  static final long MAX_CONSTANT_BYTES = 64 << 10;

  private static final List<String> SEPARATING = List.of(Notes.CONTEXT_GROUP, Notes.FORCE_MIRRORING);

  private final Predicate<String> isPure;

  /** For graphs of pure operators. */
  public CommonSubexpressionPass() {
    this(_ -> true);
  }

  /** @param isPure whether an operator gives equal results for equal inputs, by name */
  public CommonSubexpressionPass(Predicate<String> isPure) {
    this.isPure = isPure;
  }

  /** What two nodes must have in common. The content of a buffer is what it is compared by. */
  private sealed interface Key {
    record Same(NodeKind.Apply kind, List<NodeEntry> inputs, Notes notes) implements Key {}

    record Equal(TensorType type, ByteBuffer bytes) implements Key {}

    /** Equal to no other. */
    record Unlike(Node node) implements Key {}
  }

  @Override
  public String name() {
    return "common-subexpression";
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    Map<Key, Node> first = new HashMap<>();
    return GraphRewriter.rewrite(graph, (old, current) -> {
      Node before = first.putIfAbsent(key(current), current);
      return GraphRewriter.entries(before == null ? current : before);
    });
  }

  private Key key(Node node) {
    return switch (node.kind()) {
      case NodeKind.Apply kind when !kind.operator().equals("Dropout") && isPure.test(kind.operator()) ->
        new Key.Same(kind, node.inputs(), node.notes().only(SEPARATING));
      case NodeKind.Constant(TensorView value) when value.type().bytes() <= MAX_CONSTANT_BYTES ->
        new Key.Equal(value.type(), ByteBuffer.wrap(value.segment().toArray(ValueLayout.JAVA_BYTE)));
      default -> new Key.Unlike(node);
    };
  }
}
