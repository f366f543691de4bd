package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.LoadKernel;
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
import org.jspecify.annotations.Nullable;

/**
 * Places become addresses: the kernel call of each step over pools, weights, variables, inputs and results. Inputs and
 * results are the caller's, and bound anew for each run, unless the executor has memory of its own for them.
 */
final class Bindings {
  private final CompiledGraph graph;
  private final List<TensorView> weights;
  private final List<TensorView> variables;
  private final List<MemorySegment> pools;
  private final KernelCall[] calls;
  private final List<CallerUse> callerUses = new ArrayList<>();
  private final List<CallerTensor> callerTensors;
  private final List<TensorView> inputs;
  private List<LocatedView> given = List.of();
  private List<LocatedView> results = List.of();

  /** A place in a call where a tensor of the caller goes. */
  private record CallerUse(KernelCall call, boolean written, int index) {
    void bind(TensorView view) {
      if (written) {
        call.bindOutput(index, view);
      } else {
        call.bindInput(index, view);
      }
    }

    void unbind() {
      if (written) {
        call.unbindOutput(index);
      } else {
        call.unbindInput(index);
      }
    }
  }

  /** A tensor of the caller under one type, which need not be the caller's own: another shape, or as many bytes. */
  private record CallerTensor(Place place, TensorType type, List<CallerUse> uses) {}

  /** @param inputs of which only the addresses stay the same; none when each run brings its own */
  Bindings(CompiledGraph graph, List<TensorView> weights, List<TensorView> variables, List<MemorySegment> pools,
    List<TensorView> inputs, ExecutorStreams streams) {
    this.graph = graph;
    this.weights = weights;
    this.variables = variables;
    this.pools = pools;
    this.inputs = inputs;
    this.calls = new KernelCall[graph.storage().steps().size()];
    Map<CallerTensor, List<CallerUse>> uses = new LinkedHashMap<>();
    for (int step = 0; step < calls.length; step++) {
      calls[step] = newCall(step, streams.get(graph.schedule().steps().get(step).stream()), uses);
    }
    List<CallerTensor> tensors = new ArrayList<>();
    uses.forEach((tensor, all) -> tensors.add(new CallerTensor(tensor.place(), tensor.type(), List.copyOf(all))));
    uses.values().forEach(callerUses::addAll);
    this.callerTensors = List.copyOf(tensors);
  }

  private KernelCall newCall(int step, Stream stream, Map<CallerTensor, List<CallerUse>> uses) {
    Node node = graph.storage().steps().get(step);
    Kernel kernel = graph.kernels().get(step).kernel();
    @Nullable
    TensorView[] operands = new TensorView[node.operands().size()];
    for (int i = 0; i < operands.length; i++) {
      NodeEntry entry = node.operands().get(i);
      // The constant of a LoadKernel is not stored: the step makes it.
      boolean isNone = entry.isAbsent() || isCallers(entry) || kernel instanceof LoadKernel;
      operands[i] = isNone ? null : kernel.readsOnHost(i) ? onHost(entry) : view(entry);
    }
    @Nullable
    TensorView[] written = new TensorView[node.kind().outputs()];
    for (int i = 0; i < written.length; i++) {
      written[i] = isCallers(node.entry(i)) ? null : view(node.entry(i));
    }
    MemorySegment workspace = graph.storage().workspaces().get(step).map(this::whole).orElse(MemorySegment.NULL);
    var call = new KernelCall(operands, written, node.kind().attributes(), workspace, stream);
    for (int i = 0; i < operands.length; i++) {
      NodeEntry entry = node.operands().get(i);
      if (!entry.isAbsent()) {
        addUse(entry, new CallerUse(call, false, i), uses);
      }
    }
    for (int i = 0; i < written.length; i++) {
      addUse(node.entry(i), new CallerUse(call, true, i), uses);
    }
    return call;
  }

  private void addUse(NodeEntry entry, CallerUse use, Map<CallerTensor, List<CallerUse>> uses) {
    if (isCallers(entry)) {
      var tensor = new CallerTensor(place(entry), graph.types().type(entry), List.of());
      uses.computeIfAbsent(tensor, _ -> new ArrayList<>()).add(use);
    }
  }

  /** Whether each run brings the memory of an entry. */
  private boolean isCallers(NodeEntry entry) {
    return switch (place(entry)) {
      case Place.Input input -> inputs.isEmpty();
      case Place.Result result -> true;
      case Place.Constant constant -> false;
      case Place.Variable variable -> false;
      case Place.Planned planned -> false;
    };
  }

  /** Gives the next run its inputs, and the memory of its results. */
  void bind(List<LocatedView> newInputs, List<LocatedView> newResults) {
    given = newInputs;
    results = newResults;
    // The loops go by index, since an iterator would be the only garbage of a run.
    for (int i = 0; i < callerTensors.size(); i++) {
      CallerTensor tensor = callerTensors.get(i);
      TensorView view = callers(tensor.place(), tensor.type());
      List<CallerUse> uses = tensor.uses();
      for (int use = 0; use < uses.size(); use++) {
        uses.get(use).bind(view);
      }
    }
  }

  private TensorView callers(Place place, TensorType type) {
    TensorView view = switch (place) {
      case Place.Input(int index) -> given.get(index).view();
      case Place.Result(int output) -> results.get(output).view();
      default -> throw new AssertionError("not the caller's: place=" + place);
    };
    return view.type().equals(type) ? view : new TensorView(type, view.segment());
  }

  /** Lets go of the last run's inputs and results, so that an idle executor does not keep them alive. */
  void unbind() {
    given = List.of();
    results = List.of();
    for (int i = 0; i < callerUses.size(); i++) {
      callerUses.get(i).unbind();
    }
  }

  /** The call of a step. */
  KernelCall call(int step) {
    return calls[step];
  }

  /** Where the kernels leave an output of the last run. */
  TensorView output(int index) {
    return view(graph.graph().graph().outputs().get(index).entry());
  }

  /** Whether the kernels write an output into its result. */
  boolean isBound(int output) {
    NodeEntry entry = graph.graph().graph().outputs().get(output).entry();
    return place(entry) instanceof Place.Result(int first) && first == output;
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
      case Place.Input(int index) when !inputs.isEmpty() -> inputs.get(index).reshaped(type.shape());
      case Place.Input input -> callers(input, type);
      case Place.Result result -> callers(result, type);
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
