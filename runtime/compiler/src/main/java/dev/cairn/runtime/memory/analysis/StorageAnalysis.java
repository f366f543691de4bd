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
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Turns a graph into a memory problem, in one walk.
 *
 * <p>Each entry has a <em>root</em>: itself, or the entry whose bytes it is under another shape. Uses count at roots.
 * When a step's result may be written in place of an input and that input's buffer dies at this very step, the result
 * joins the buffer and lengthens its life; otherwise it gets a new buffer. Births and deaths are kept by {@link
 * SharedBuffers}. Variables have memory of their own, in which all their values lie one after the other. The graph must
 * have been through {@link KeptValues} for that.
 */
public final class StorageAnalysis {
  private final IndexedGraph graph;
  private final GraphTypes types;
  private final OperatorTable operators;
  private final BiPredicate<NodeEntry, Integer> mayTake;
  private final Aliases roots;
  private final int[] lastUse;
  private final SharedBuffers buffers;
  private final List<Node> steps = new ArrayList<>();
  private final List<Node> constants = new ArrayList<>();
  private final List<Node> variables = new ArrayList<>();
  private final List<Node> directAssigns = new ArrayList<>();
  private final @Nullable Place[] places;
  private int inPlace;
  private long resultBytes;

  private StorageAnalysis(IndexedGraph graph, GraphTypes types, OperatorTable operators, long alignment,
    BiPredicate<NodeEntry, Integer> mayTake) {
    this.graph = graph;
    this.types = types;
    this.operators = operators;
    this.mayTake = mayTake;
    this.roots = new Aliases(graph, types, operators);
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
    return analyse(graph, types, operators, workspaceBytes, alignment, (result, input) -> true);
  }

  /** Like {@link #analyse}, with a buffer for each result, but for results that go right into variables. */
  public static Storage analyseSeparate(IndexedGraph graph, GraphTypes types, OperatorTable operators,
    ToLongFunction<Node> workspaceBytes, long alignment) {
    return analyse(graph, types, operators, workspaceBytes, alignment, (result, input) -> false);
  }

  /** @param mayTake whether a result may take the buffer of its node's input at this position, where it could */
  static Storage analyse(IndexedGraph graph, GraphTypes types, OperatorTable operators,
    ToLongFunction<Node> workspaceBytes, long alignment, BiPredicate<NodeEntry, Integer> mayTake) {
    var analysis = new StorageAnalysis(graph, types, operators, alignment, mayTake);
    analysis.findSteps();
    analysis.findLastUses();
    return analysis.placeAll(workspaceBytes);
  }

  private void findSteps() {
    var direct = new DirectAssigns(graph, types, operators, roots);
    int inputs = 0;
    Arrays.fill(lastUse, -1);
    for (Node node : graph.graph().nodes()) {
      int entry = graph.entryId(node.entry());
      switch (node.kind()) {
        case NodeKind.Input _,NodeKind.Parameter _ -> places[entry] = new Place.Input(inputs++);
        case NodeKind.Constant _,NodeKind.Deferred _ -> placeConstant(node);
        case NodeKind.Variable variable -> {
          places[entry] = new Place.Variable(variables.size());
          variables.add(node);
        }
        case NodeKind.Assign assign -> placeAssign(node, direct.isDirect(node));
        case NodeKind.Apply apply when roots.isAlias(node) -> {}
        case NodeKind.Apply _,NodeKind.Control _ -> steps.add(node);
        case NodeKind.Absent absent -> throw new AssertionError("absent nodes are not in a graph's order");
      }
    }
  }

  private void placeConstant(Node constant) {
    places[graph.entryId(constant.entry())] = new Place.Constant(constants.size());
    constants.add(constant);
  }

  private void placeAssign(Node assign, boolean direct) {
    Place variable = places[graph.entryId(assign.inputs().get(0))];
    places[graph.entryId(assign.entry())] = variable;
    if (direct) {
      directAssigns.add(assign);
      places[graph.entryId(assign.inputs().get(1))] = variable;
    } else {
      steps.add(assign);
    }
  }

  private int root(NodeEntry entry) {
    return roots.root(entry);
  }

  private void findLastUses() {
    for (int step = 0; step < steps.size(); step++) {
      for (NodeEntry input : steps.get(step).operands()) {
        if (!input.isAbsent()) {
          lastUse[root(input)] = step;
        }
      }
    }
    for (Graph.Output output : graph.graph().outputs()) {
      lastUse[root(output.entry())] = steps.size();
    }
  }

  private Storage placeAll(ToLongFunction<Node> workspaceBytes) {
    List<Optional<Place.Planned>> workspaces = new ArrayList<>();
    long scratchBytes = 0;
    for (int step = 0; step < steps.size(); step++) {
      Node node = steps.get(step);
      for (int output = 0; output < node.kind().outputs(); output++) {
        if (places[graph.entryId(node.entry(output))] == null) {
          placeResult(node, output, step);
        }
      }
      long scratch = workspaceBytes.applyAsLong(node);
      scratchBytes += scratch;
      workspaces.add(scratch == 0
        ? Optional.empty()
        : Optional.of(new Place.Planned(buffers.add(node.name() + "/workspace", scratch, "workspace", step))));
    }
    var placed = new Place[places.length];
    for (int entry = 0; entry < places.length; entry++) {
      placed[entry] = Objects.requireNonNull(places[roots.root(entry)]);
    }
    return new Storage(steps, List.of(placed), workspaces, constants, new VariableUse(variables, directAssigns),
      buffers.problem(steps.size()), resultBytes + scratchBytes, inPlace);
  }

  private void placeResult(Node node, int output, int step) {
    int entry = graph.entryId(node.entry(output));
    int shared = inPlaceBuffer(node, output, step);
    inPlace += shared < 0 ? 0 : 1;
    resultBytes += types.type(node.entry(output)).bytes();
    int buffer = shared < 0 ? newBuffer(node, output, step) : shared;
    places[entry] = new Place.Planned(buffer);
    buffers.use(buffer, lastUse[entry]);
  }

  private int newBuffer(Node node, int output, int step) {
    TensorType type = types.type(node.entry(output));
    int buffer = buffers.add(node.entry(output).toString(), type.bytes(), type.dtype().toString(), step);
    if (HostCopies.isOut(node)) {
      buffers.place(buffer, HostCopies.HOST);
    }
    return buffer;
  }

  /** The buffer that the result may take over, or -1. */
  private int inPlaceBuffer(Node node, int output, int step) {
    for (MemoryTraits.Pair pair : operators.memory(node).inPlace()) {
      if (pair.output() != output || pair.input() >= node.inputs().size()
        || node.inputs().get(pair.input()).isAbsent()) {
        continue;
      }
      NodeEntry input = node.inputs().get(pair.input());
      boolean fits = types.type(input).bytes() == types.type(node.entry(output)).bytes()
        && mayTake.test(node.entry(output), pair.input());
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
}
