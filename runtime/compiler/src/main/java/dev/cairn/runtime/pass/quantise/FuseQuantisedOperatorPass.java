package dev.cairn.runtime.pass.quantise;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.Readers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Computes sums, products of elements, averages and softmax of quantised tensors without real tensors in between:
 *
 * <pre>
 * a = DequantizeLinear(x, xs, xz)
 * b = DequantizeLinear(r, rs, rz)
 * s = Add(a, b)                       →    y = QLinearAdd(x, xs, xz, r, rs, rz, ys, yz)
 * y = QuantizeLinear(s, ys, yz)
 * </pre>
 *
 * Fires for tensors of 8 bits with one scale each, when nothing else reads {@code s} and the device has the kernel. A
 * {@code Relu} before the quantisation goes when saturation does the same. Sums and products have the same bits.
 * Averages and softmax may differ by one unit, because they are rounded fewer times.
 */
final class FuseQuantisedOperatorPass implements Pass {
  private final BiPredicate<String, KernelSignature> serves;

  /** @param serves whether the device has a kernel for an operator with these types */
  FuseQuantisedOperatorPass(BiPredicate<String, KernelSignature> serves) {
    this.serves = serves;
  }

  @Override
  public String name() {
    return "fuse-quantised-operator";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    var walk = new Walk(context.types(), new Readers(graph), NodeNames.of(graph), serves);
    return GraphRewriter.rewrite(graph, walk::rewrite);
  }

  private record Walk(GraphTypes types, Readers readers, NodeNames names,
    BiPredicate<String, KernelSignature> serves) {

    List<NodeEntry> rewrite(Node old, Node current) {
      Node made = old.operator().equals(Quantised.QUANTIZE) ? fused(old, current) : null;
      return GraphRewriter.entries(made == null ? current : made);
    }

    private @Nullable Node fused(Node old, Node current) {
      Quantised result = Quantised.result(old);
      boolean isRelu = result.hasRelu(old, types) && readers.of(old.inputs().getFirst()) == 1;
      Node real = operator(old, isRelu);
      Node now = operator(current, isRelu);
      Optional<String> name = QLinearOperators.of(real.operator());
      if (name.isEmpty() || !result.isOfBytes(types) || readers.of(real.entry()) != 1 || old.kind().attributes().has(
        "precision")) {
        return null;
      }
      List<NodeEntry> inputs = new ArrayList<>();
      List<TensorType> given = new ArrayList<>();
      for (int i = 0; i < real.inputs().size(); i++) {
        Optional<Quantised> operand = Quantised.dequantised(real.inputs().get(i));
        if (operand.isEmpty() || !operand.get().isOfBytes(types) || (isSoftmax(real) && !operand.get().isPositive())) {
          return null;
        }
        Quantised read = Quantised.dequantised(now.inputs().get(i)).orElseThrow();
        TensorType type = types.type(operand.get().tensor());
        inputs.addAll(List.of(read.tensor(), read.scale(), read.zeroOrMade(type.dtype(), names, old)));
        given.addAll(List.of(type, types.type(operand.get().scale()), TensorType.of(type.dtype(), 1)));
      }
      Quantised written = Quantised.result(current);
      TensorType type = types.type(old.entry());
      inputs.addAll(List.of(written.scale(), written.zeroOrMade(type.dtype(), names, old)));
      given.addAll(List.of(types.type(result.scale()), TensorType.of(type.dtype(), 1)));
      Attributes attributes = real.kind().attributes();
      return isAlongLastAxis(real) && serves.test(name.get(), KernelSignature.of(given, List.of(type), attributes))
        ? Node.apply(old.name(), name.get(), attributes, inputs)
        : null;
    }

    private static Node operator(Node quantise, boolean hasRelu) {
      Node real = quantise.inputs().getFirst().node();
      return hasRelu ? real.inputs().getFirst().node() : real;
    }

    private static boolean isSoftmax(Node real) {
      return real.operator().equals("Softmax");
    }

    private boolean isAlongLastAxis(Node real) {
      int rank = types.type(real.entry()).shape().rank();
      long axis = real.kind().attributes().getLong("axis", -1);
      return !isSoftmax(real) || (rank > 0 && (axis == -1 || axis == rank - 1));
    }
  }
}
