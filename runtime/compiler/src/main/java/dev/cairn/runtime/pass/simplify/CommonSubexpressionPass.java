package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Computes once what is computed twice: nodes of the same kind over the same entries become the first of them, and so
 * do equal constants of up to {@value #MAX_CONSTANT_BYTES} bytes, and larger ones that lie at the same place or are
 * computed alike.
 *
 * <pre>
 * a = Relu(x)                    a = Relu(x)
 * b = Relu(x)               →    y = Add(a, a)
 * y = Add(a, b)                  return y=y
 * return y=y
 * </pre>
 *
 * {@code Dropout} stays: when training, two of them draw different random numbers. So do operators that are not pure.
 * Nodes of two groups of devices stay too, and so do nodes of which one alone is recomputed, or computes in
 * {@code float32} whatever the precision.
 */
public final class CommonSubexpressionPass implements Pass {
  /** Larger constants are weights, which are seldom equal and slow to compare by their bytes. */
  static final long MAX_CONSTANT_BYTES = 64 << 10;

  private static final List<String> SEPARATING = List.of(Notes.CONTEXT_GROUP, Notes.FORCE_MIRRORING, Notes.PRECISION,
    Notes.REPEAT, Notes.OFFLOAD);

  private final Predicate<String> isPure;

  /** For graphs of pure operators. */
  public CommonSubexpressionPass() {
    this(_ -> true);
  }

  /** @param isPure whether an operator gives equal results for equal inputs, by name */
  public CommonSubexpressionPass(Predicate<String> isPure) {
    this.isPure = isPure;
  }

  /** The properties that two nodes must share. */
  private sealed interface Key {
    record Same(NodeKind.Apply kind, List<NodeEntry> inputs, Notes notes) implements Key {
      @Override
      public boolean equals(@Nullable Object other) {
        return other instanceof Same that && inputs.equals(that.inputs) && kind.equals(that.kind) && notes.equals(
          that.notes);
      }

      @Override
      public int hashCode() {
        return 31 * kind.operator().hashCode() + inputs.hashCode();
      }
    }

    /** A constant, compared by its bytes. */
    record Equal(TensorView value) implements Key {
      /** Words that the hash reads, evenly spread: the comparison is fast, a loop over all bytes is not. */
      private static final long SAMPLES = 16;

      @Override
      public boolean equals(@Nullable Object other) {
        return other instanceof Equal(TensorView that) && value.type().equals(that.type()) && value.segment().mismatch(
          that.segment()) < 0;
      }

      @Override
      public int hashCode() {
        MemorySegment bytes = value.segment();
        int hash = value.shape().hashCode();
        long words = bytes.byteSize() / Integer.BYTES;
        long count = Math.min(SAMPLES, words);
        for (long i = 0; i < count; i++) {
          hash = 31 * hash + bytes.get(ValueLayout.JAVA_INT_UNALIGNED, i * words / count * Integer.BYTES);
        }
        for (long at = words * Integer.BYTES; at < bytes.byteSize(); at++) {
          hash = 31 * hash + bytes.get(ValueLayout.JAVA_BYTE, at);
        }
        return hash;
      }
    }

    /** A constant, compared by where its bytes lie or by what computes it. */
    record From(ConstantSource source) implements Key {}

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
      return (before == null ? current : before).entries();
    });
  }

  private Key key(Node node) {
    return switch (node.kind()) {
      case NodeKind.Apply kind when !kind.operator().equals(Operators.DROPOUT) && isPure.test(kind.operator()) ->
        new Key.Same(kind, node.inputs(), node.notes().only(SEPARATING));
      case NodeKind.Constant(TensorView value) when value.type().bytes() <= MAX_CONSTANT_BYTES ->
        new Key.Equal(comparable(value));
      default -> node.constant().<Key>map(Key.From::new).orElseGet(() -> new Key.Unlike(node));
    };
  }

  /** A copy of what lies in a file: to compare bytes that are gone, as the file was truncated, would end the JVM. */
  private static TensorView comparable(TensorView value) {
    return value.segment().isMapped()
      ? new TensorView(value.type(), MemorySegment.ofArray(value.segment().toArray(ValueLayout.JAVA_BYTE)))
      : value;
  }
}
