package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.analysis.Place;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Places become addresses: the kernel call of each step over pools, weights, variables and inputs. Inputs are the
 * caller's, and bound anew for each run, unless the executor has memory of its own for them.
 */
final class Bindings {
  private final CompiledGraph graph;
  private final List<TensorView> weights;
  private final List<TensorView> variables;
  private final List<MemorySegment> pools;
  private final KernelCall[] calls;
  private final List<InputUse> inputUses = new ArrayList<>();
  private final List<InputRead> inputReads;
  private List<TensorView> inputs;

  /** A place in a call where the caller's input goes, perhaps under another shape. */
  private record InputUse(KernelCall call, int operand, int input, Shape shape) {}

  /** All places where one input goes under one shape. */
  private record InputRead(int input, Shape shape, List<InputUse> uses) {}

  /** @param inputs of which only the addresses stay the same; none when each run brings its own */
  Bindings(CompiledGraph graph, List<TensorView> weights, List<TensorView> variables, List<MemorySegment> pools,
    List<TensorView> inputs, ExecutorStreams streams) {
    this.graph = graph;
    this.weights = weights;
    this.variables = variables;
    this.pools = pools;
    this.inputs = inputs;
    boolean boundAnew = inputs.isEmpty();
    this.calls = new KernelCall[graph.storage().steps().size()];
    for (int step = 0; step < calls.length; step++) {
      calls[step] = newCall(step, streams.get(graph.schedule().steps().get(step).stream()), boundAnew);
    }
    this.inputReads = reads(inputUses);
  }

  private static List<InputRead> reads(List<InputUse> uses) {
    Map<Integer, Map<Shape, List<InputUse>>> grouped = new TreeMap<>();
    uses.forEach(use -> grouped.computeIfAbsent(use.input(), _ -> new LinkedHashMap<>())
      .computeIfAbsent(use.shape(), _ -> new ArrayList<>()).add(use));
    List<InputRead> reads = new ArrayList<>();
    grouped.forEach((input, byShape) -> byShape.forEach((shape, same) -> reads.add(new InputRead(input, shape, List
      .copyOf(same)))));
    return List.copyOf(reads);
  }

  private KernelCall newCall(int step, Stream stream, boolean boundAnew) {
    Node node = graph.storage().steps().get(step);
    Kernel kernel = graph.kernels().get(step).kernel();
    @Nullable
    TensorView[] operands = new TensorView[node.operands().size()];
    for (int i = 0; i < operands.length; i++) {
      NodeEntry entry = node.operands().get(i);
      boolean isLater = entry.isAbsent() || (boundAnew && place(entry) instanceof Place.Input);
      operands[i] = isLater ? null : kernel.readsOnHost(i) ? onHost(entry) : view(entry);
    }
    TensorView[] results = new TensorView[node.kind().outputs()];
    for (int i = 0; i < results.length; i++) {
      results[i] = view(node.entry(i));
    }
    MemorySegment workspace = graph.storage().workspaces().get(step).map(this::whole).orElse(MemorySegment.NULL);
    var call = new KernelCall(operands, results, node.kind().attributes(), workspace, stream);
    for (int i = 0; boundAnew && i < operands.length; i++) {
      NodeEntry entry = node.operands().get(i);
      if (!entry.isAbsent() && place(entry) instanceof Place.Input(int input)) {
        inputUses.add(new InputUse(call, i, input, graph.types().type(entry).shape()));
      }
    }
    return call;
  }

  /** Gives the next run its inputs. */
  void bind(List<TensorView> given) {
    inputs = given;
    // By index: an iterator would be the only garbage of a run.
    for (int i = 0; i < inputReads.size(); i++) {
      InputRead read = inputReads.get(i);
      TensorView view = given.get(read.input());
      TensorView shaped = view.shape().equals(read.shape()) ? view : view.reshaped(read.shape());
      List<InputUse> uses = read.uses();
      for (int use = 0; use < uses.size(); use++) {
        uses.get(use).call().bindInput(uses.get(use).operand(), shaped);
      }
    }
  }

  /** Lets go of the last run's inputs, so that an idle executor does not keep them alive. */
  void unbind() {
    inputs = List.of();
    for (InputUse use : inputUses) {
      use.call().unbindInput(use.operand());
    }
  }

  /** The call of a step. */
  KernelCall call(int step) {
    return calls[step];
  }

  TensorView output(int index) {
    Graph.Output output = graph.graph().graph().outputs().get(index);
    return view(output.entry());
  }

  /** A constant as it came with the graph, which is in the host's memory whatever the device. */
  private TensorView onHost(NodeEntry entry) {
    if (place(entry) instanceof Place.Constant(int index)
      && graph.storage().constants().get(index).kind() instanceof NodeKind.Constant(TensorView value)) {
      return value.reshaped(graph.types().type(entry).shape());
    }
    throw new AssertionError("only constants are read on the host: entry=" + entry);
  }

  private Place place(NodeEntry entry) {
    return graph.storage().places().get(graph.graph().entryId(entry));
  }

  private TensorView view(NodeEntry entry) {
    TensorType type = graph.types().type(entry);
    return switch (place(entry)) {
      case Place.Input(int index) -> inputs.get(index).reshaped(type.shape());
      case Place.Constant(int index) -> weights.get(index).reshaped(type.shape());
      case Place.Variable(int index) -> variables.get(index).reshaped(type.shape());
      case Place.Planned planned -> new TensorView(type, whole(planned).asSlice(0, type.bytes()));
    };
  }

  /** All bytes of a buffer. */
  private MemorySegment whole(Place.Planned planned) {
    Placement at = graph.plan().placements().get(planned.buffer());
    long bytes = graph.storage().problem().buffer(planned.buffer()).bytes();
    return pools.get(at.pool()).asSlice(at.offset(), bytes);
  }
}
