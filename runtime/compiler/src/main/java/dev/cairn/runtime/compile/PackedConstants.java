package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.catalog.PlannedKernel.Packing;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.operator.MemoryTraits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Gives each step's kernel its types, and constants in the form in which it reads them:
 *
 * <pre>
 * w = constant float32[64x64x3x3]        p = deferred uint8[147456] of w
 * y = Conv(x, w)                     →   y = Conv(x, p)
 * </pre>
 *
 * A packed constant is computed when it is stored, as folded ones are: in the session's memory, once for all plans that
 * pack it alike. Plain bytes that no step reads are not stored. The last change to a graph: its types are no longer the
 * types that its operators would have.
 */
final class PackedConstants {
  private static final String SUFFIX = "/packed";

  private final GraphTypes types;
  private final Map<Node, KernelRow> kernels;
  private final Stream stream;
  private final Map<Node, KernelRow> planned = new HashMap<>();
  private final Map<NodeEntry, TensorType> newTypes = new HashMap<>();
  private final Map<ConstantSource, Node> packed = new HashMap<>();

  /**
   * @param graph with its constants packed
   * @param kernels for its nodes
   */
  record Result(Graph graph, GraphTypes types, Map<Node, KernelRow> kernels) {}

  private PackedConstants(GraphTypes types, Map<Node, KernelRow> kernels, Stream stream) {
    this.types = types;
    this.kernels = kernels;
    this.stream = stream;
  }

  /** @param stream on which constants are computed */
  static Result applied(Graph graph, GraphTypes types, Map<Node, KernelRow> kernels, Stream stream) {
    var walk = new PackedConstants(types, kernels, stream);
    Graph changed = GraphRewriter.rewrite(graph, walk::rewrite);
    return new Result(changed, walk.newTypes.isEmpty() ? types : types.with(walk.newTypes), walk.planned);
  }

  private List<NodeEntry> rewrite(Node old, Node current) {
    KernelRow row = kernels.get(old);
    if (row == null) {
      return current.entries();
    }
    KernelSignature signature = KernelChoice.signature(old, types);
    PlannedKernel plan = row.kernel().planned(signature, constants(old));
    Node made = plan.packed().isEmpty() ? current : withPacked(current, plan.packed(), row.twin());
    planned.put(made, new KernelRow(row.operator(), row.twin(), row.decides(), row.dtypes(), plan.kernel()));
    if (made != old) {
      for (int i = 0; i < old.kind().outputs(); i++) {
        newTypes.put(made.entry(i), types.type(old.entry(i)));
      }
    }
    return made.entries();
  }

  private static Set<Integer> constants(Node node) {
    return IntStream.range(0, node.operands().size()).filter(i -> node.operands().get(i).node().constant().isPresent())
      .boxed().collect(Collectors.toSet());
  }

  private Node withPacked(Node node, Map<Integer, Packing> packings, KernelRow.Twin twin) {
    List<NodeEntry> inputs = new ArrayList<>(node.inputs());
    packings.forEach((input, packing) -> inputs.set(input, packed(inputs.get(input).node(), packing, twin).entry()));
    if (node.kind() instanceof NodeKind.Apply kind) {
      return node.with(kind, inputs);
    }
    throw new AssertionError("only operators read packed constants: node=" + node.name());
  }

  private Node packed(Node constant, Packing packing, KernelRow.Twin twin) {
    ConstantSource source = constant.constant().orElseThrow();
    KernelSignature signature = KernelSignature.of(List.of(source.type()), List.of(packing.type()), constant.kind()
      .attributes());
    var row = new KernelRow("Pack", twin, KernelRow.Decides.FIRST_INPUT, Set.of(source.type().dtype()),
      packing.kernel());
    var computed = new ConstantSource.Computed(
      new KernelComputation(constant.name(), new Dispatch.Compute(row, packing.kernel(), signature, MemoryTraits.NONE,
        packing.kernel().workspaceBytes(signature)), stream),
      List.of(Optional.of(source)), List.of(packing.type()), 0);
    return packed.computeIfAbsent(computed, _ -> {
      Node made = Node.deferred(constant.name() + SUFFIX + packed.size(), computed);
      newTypes.put(made.entry(), packing.type());
      return made;
    });
  }
}
