package dev.cairn.runtime.memory.analysis;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Turns a graph into a memory problem, in one walk.
 *
 * <p>Each entry has a <em>root</em>: itself, or the entry whose bytes it is under another shape. Uses count at roots.
 * When a step's result may be written in place of an input and that input's buffer dies at this very step, the result
 * joins the buffer and lengthens its life; else it gets a new one. Births and deaths are kept by {@link SharedBuffers}.
 */
public final class StorageAnalysis {
  private final IndexedGraph graph;
  private final GraphTypes types;
  private final OperatorTable operators;
  private final int[] roots;
  private final int[] lastUse;
  private final SharedBuffers buffers;
  private final List<Node> steps = new ArrayList<>();
  private final List<Node> constants = new ArrayList<>();
  private final Place[] places;

  private StorageAnalysis(IndexedGraph graph, GraphTypes types, OperatorTable operators, long alignment) {
    this.graph = graph;
    this.types = types;
    this.operators = operators;
    this.roots = new int[graph.entryCount()];
    this.lastUse = new int[graph.entryCount()];
    this.places = new Place[graph.entryCount()];
    this.buffers = new SharedBuffers(alignment);
  }

  /**
   * @param workspaceBytes scratch bytes that the kernel of a node wants; 0 for none
   * @param alignment of every buffer, in bytes
   */
  public static Storage analyse(IndexedGraph graph, GraphTypes types, OperatorTable operators,
    ToLongFunction<Node> workspaceBytes, long alignment) {
    var analysis = new StorageAnalysis(graph, types, operators, alignment);
    analysis.findRootsAndSteps();
    analysis.findLastUses();
    return analysis.assign(workspaceBytes);
  }

  private void findRootsAndSteps() {
    int inputs = 0;
    for (Node node : graph.graph().nodes()) {
      int entry = graph.entryId(node.entry());
      for (int i = 0; i < node.kind().outputs(); i++) {
        roots[entry + i] = entry + i;
        lastUse[entry + i] = -1;
      }
      switch (node.kind()) {
        case NodeKind.Input input -> places[entry] = new Place.Input(inputs++);
        case NodeKind.Constant constant -> {
          places[entry] = new Place.Constant(constants.size());
          constants.add(node);
        }
        case NodeKind.Apply apply when isAlias(node, apply) -> roots[entry] = root(node.inputs().get(0));
        case NodeKind.Apply apply -> steps.add(node);
        case NodeKind.Absent absent -> throw new AssertionError("absent nodes are not in a graph's order");
      }
    }
  }

  private boolean isAlias(Node node, NodeKind.Apply apply) {
    return apply.outputs() == 1 && operators.get(apply.operator()).memory().alias()
      && types.type(node.entry()).bytes() == types.type(node.inputs().get(0)).bytes();
  }

  private int root(NodeEntry entry) {
    return roots[graph.entryId(entry)];
  }

  private void findLastUses() {
    for (int step = 0; step < steps.size(); step++) {
      for (NodeEntry input : steps.get(step).inputs()) {
        if (!input.isAbsent()) {
          lastUse[root(input)] = step;
        }
      }
    }
    for (Graph.Output output : graph.graph().outputs()) {
      lastUse[root(output.entry())] = steps.size();
    }
  }

  private Storage assign(ToLongFunction<Node> workspaceBytes) {
    List<Optional<Place.Planned>> workspaces = new ArrayList<>();
    int inPlace = 0;
    long scratchBytes = 0;
    for (int step = 0; step < steps.size(); step++) {
      Node node = steps.get(step);
      for (int output = 0; output < node.kind().outputs(); output++) {
        int entry = graph.entryId(node.entry(output));
        int shared = inPlaceBuffer(node, output, step);
        inPlace += shared < 0 ? 0 : 1;
        places[entry] = new Place.Planned(shared < 0 ? newBuffer(node, output, step) : shared);
        buffers.use(((Place.Planned) places[entry]).buffer(), lastUse[entry]);
      }
      long scratch = workspaceBytes.applyAsLong(node);
      scratchBytes += scratch;
      workspaces.add(scratch == 0
        ? Optional.empty()
        : Optional.of(new Place.Planned(buffers.add(node.name() + "/workspace", scratch, "workspace", step))));
    }
    for (int entry = 0; entry < places.length; entry++) {
      places[entry] = places[roots[entry]];
    }
    return new Storage(steps, List.of(places), workspaces, constants, buffers.problem(steps.size()),
      resultBytes() + scratchBytes, inPlace);
  }

  private int newBuffer(Node node, int output, int step) {
    TensorType type = types.type(node.entry(output));
    return buffers.add(node.entry(output).toString(), type.bytes(), type.dtype().toString(), step);
  }

  /** The buffer that the result may take over, or -1. */
  private int inPlaceBuffer(Node node, int output, int step) {
    for (MemoryTraits.Pair pair : operators.get(node.operator()).memory().inPlace()) {
      if (pair.output() != output || pair.input() >= node.inputs().size()
        || node.inputs().get(pair.input()).isAbsent()) {
        continue;
      }
      NodeEntry input = node.inputs().get(pair.input());
      boolean fits = types.type(input).bytes() == types.type(node.entry(output)).bytes();
      if (fits && places[root(input)] instanceof Place.Planned(int buffer) && buffers.diesAt(buffer, step)
        && othersReadItAlike(node, input, buffer) && !writtenBy(node, output, buffer)) {
        return buffer;
      }
    }
    return -1;
  }

  /** Another operand in the same buffer is harmless only if it is the same tensor, element for element. */
  private boolean othersReadItAlike(Node node, NodeEntry taken, int buffer) {
    for (NodeEntry other : node.inputs()) {
      if (!other.isAbsent() && places[root(other)] instanceof Place.Planned(int otherBuffer) && otherBuffer == buffer
        && !types.type(other).equals(types.type(taken))) {
        return false;
      }
    }
    return true;
  }

  /** Whether an earlier output of the same node has taken the buffer already. */
  private boolean writtenBy(Node node, int outputs, int buffer) {
    for (int i = 0; i < outputs; i++) {
      if (places[graph.entryId(node.entry(i))] instanceof Place.Planned(int taken) && taken == buffer) {
        return true;
      }
    }
    return false;
  }

  private long resultBytes() {
    long sum = 0;
    for (Node step : steps) {
      for (int output = 0; output < step.kind().outputs(); output++) {
        sum += types.type(step.entry(output)).bytes();
      }
    }
    return sum;
  }
}
