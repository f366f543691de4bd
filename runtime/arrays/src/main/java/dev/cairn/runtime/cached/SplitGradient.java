package dev.cairn.runtime.cached;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.DepthFirstOrder;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.pass.gradient.GradientGraph;
import dev.cairn.runtime.pass.gradient.GradientOptions;
import dev.cairn.runtime.pass.gradient.GradientPass;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A sketch and its gradient as two graphs (C-4). What the gradient reads of the forward nodes becomes further outputs
 * of the first graph and inputs of the second. All nodes are calls of operators: what Java decides when a function is
 * sketched is in no graph, and symbols with control flow are refused.
 *
 * <pre>
 * forward    x0, w0          → y0, kept0
 * backward   w0, kept0, dy0  → g0, g1
 * </pre>
 *
 * @param forward the sketch's graph with further outputs
 * @param backward null where no gradient is wanted
 * @param savedInputs the sketch's inputs that the backward graph reads
 * @param savedOutputs the sketch's outputs that it reads
 * @param gradients for each of the sketch's inputs, the output of the backward graph; -1 for none
 */
record SplitGradient(Graph forward, @Nullable Graph backward, List<Integer> savedInputs, List<Integer> savedOutputs,
  List<Integer> gradients) {
  static SplitGradient of(Sketch sketch, BitSet wanted, OperatorRegistry operators) {
    List<Node> inputs = sketch.graph().inputs();
    Set<NodeEntry> read = new HashSet<>();
    DepthFirstOrder.of(sketch.results().stream().map(NodeEntry::node).toList()).forEach(it -> read.addAll(it.inputs()));
    read.addAll(sketch.results());
    List<Integer> xs = wanted.stream().filter(it -> read.contains(inputs.get(it).entry())).boxed().toList();
    if (xs.isEmpty()) {
      return new SplitGradient(sketch.graph(), null, List.of(), List.of(), List.of());
    }
    return new Splitting(sketch, operators).of(xs);
  }

  int inputs() {
    return gradients.size();
  }

  int gradientOf(int input) {
    return gradients.get(input);
  }

  /** The names of the saved values, then of the heads, one for each of the sketch's outputs. */
  List<String> backwardInputs() {
    return backward == null ? List.of() : backward.inputs().stream().map(Node::name).toList();
  }

  private static final class Splitting {
    private final Sketch sketch;
    private final OperatorRegistry operators;
    private final Set<Node> forwardNodes;
    private final List<Node> heads = new ArrayList<>();
    /** For each entry, the entry that stands for it in the backward graph. */
    private final Map<NodeEntry, NodeEntry> places = new HashMap<>();
    private final Map<NodeEntry, Node> saved = new LinkedHashMap<>();

    Splitting(Sketch sketch, OperatorRegistry operators) {
      this.sketch = sketch;
      this.operators = operators;
      this.forwardNodes = new HashSet<>(sketch.graph().nodes());
    }

    SplitGradient of(List<Integer> xs) {
      List<Node> inputs = sketch.graph().inputs();
      GradientGraph gradient = gradient(xs.stream().map(it -> inputs.get(it).entry()).toList());
      List<NodeEntry> outputs = gradient.gradients();
      rebuild(outputs);
      List<NodeEntry> keptInputs = new ArrayList<>();
      List<NodeEntry> keptOutputs = new ArrayList<>();
      List<NodeEntry> kept = new ArrayList<>();
      List<NodeEntry> results = sketch.results();
      for (NodeEntry entry : saved.keySet()) {
        boolean isInput = entry.node().kind() instanceof NodeKind.Input;
        (isInput ? keptInputs : results.contains(entry) ? keptOutputs : kept).add(entry);
      }
      List<Graph.Output> forward = new ArrayList<>(sketch.graph().outputs());
      forward.addAll(Sketch.outputs("kept", kept));
      List<Node> given = new ArrayList<>();
      List.of(keptInputs, keptOutputs, kept).forEach(list -> list.forEach(it -> given.add(saved.get(it))));
      given.addAll(heads);
      Graph backward = new Graph("gradient", given, Sketch.outputs("g", outputs.stream().map(this::place).toList()));
      List<Integer> gradients = new ArrayList<>();
      for (int i = 0; i < inputs.size(); i++) {
        gradients.add(xs.indexOf(i));
      }
      return new SplitGradient(sketch.graph().withOutputs(forward), backward, keptInputs.stream().map(it -> inputs
        .indexOf(it.node())).toList(), keptOutputs.stream().map(results::indexOf).toList(), gradients);
    }

    private GradientGraph gradient(List<NodeEntry> xs) {
      List<GradientPass.Head> ys = new ArrayList<>();
      Map<NodeEntry, TensorType> types = new HashMap<>();
      for (NodeEntry result : sketch.results()) {
        TensorType type = sketch.types().type(result);
        Node head = Sketch.input("dy" + heads.size(), type);
        heads.add(head);
        types.put(head.entry(), type);
        if (type.dtype().isFloat()) {
          ys.add(GradientPass.Head.of(result, head.entry()));
        }
      }
      return new GradientPass(operators.table(), GradientOptions.DEFAULT).of(sketch.graph(), sketch.types().with(types),
        ys, xs);
    }

    /** Copies the nodes of the gradient over inputs in place of what forward nodes compute. */
    private void rebuild(List<NodeEntry> outputs) {
      Set<NodeEntry> roots = new HashSet<>(outputs);
      for (Node node : DepthFirstOrder.of(outputs.stream().map(NodeEntry::node).toList())) {
        if (forwardNodes.contains(node) || node.kind() instanceof NodeKind.Input) {
          continue;
        }
        List<NodeEntry> operands = node.inputs().stream().map(this::place).toList();
        Node copy = operands.equals(node.inputs()) ? node : node.with(node.kind(), operands);
        for (NodeEntry entry : node.entries()) {
          places.put(entry, copy.entry(entry.index()));
        }
      }
      roots.forEach(this::place);
    }

    private NodeEntry place(NodeEntry entry) {
      NodeEntry known = places.get(entry);
      if (known != null) {
        return known;
      }
      boolean isComputed = !entry.isAbsent() && forwardNodes.contains(entry.node());
      if (!isComputed || entry.node().kind() instanceof NodeKind.Constant) {
        return entry;
      }
      Node input = Sketch.input(entry.node().kind() instanceof NodeKind.Input
        ? entry.node().name()
        : "kept" + saved
          .size(),
        sketch.types().type(entry));
      saved.put(entry, input);
      places.put(entry, input.entry());
      return input.entry();
    }
  }
}
