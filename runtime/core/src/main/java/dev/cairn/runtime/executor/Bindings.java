package dev.cairn.runtime.executor;

import dev.cairn.allocator.Block;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.analysis.Place;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Places become addresses: the kernel call of each step over pools, weights, variables and the caller's inputs. */
final class Bindings {
  private final CompiledGraph graph;
  private final List<TensorView> weights;
  private final List<TensorView> variables;
  private final List<Block> pools;
  private final KernelCall[] calls;
  private final List<InputUse> inputUses = new ArrayList<>();
  private List<TensorView> inputs = List.of();

  /** A place in a call where the caller's input goes, perhaps under another shape. */
  private record InputUse(KernelCall call, int operand, int input, TensorType type) {}

  Bindings(CompiledGraph graph, List<TensorView> weights, List<TensorView> variables, List<Block> pools,
    Stream stream) {
    this.graph = graph;
    this.weights = weights;
    this.variables = variables;
    this.pools = pools;
    this.calls = new KernelCall[graph.storage().steps().size()];
    for (int step = 0; step < calls.length; step++) {
      calls[step] = call(step, stream);
    }
  }

  private KernelCall call(int step, Stream stream) {
    Node node = graph.storage().steps().get(step);
    @Nullable
    TensorView[] operands = new TensorView[node.operands().size()];
    for (int i = 0; i < operands.length; i++) {
      NodeEntry entry = node.operands().get(i);
      operands[i] = entry.isAbsent() || place(entry) instanceof Place.Input ? null : view(entry);
    }
    TensorView[] results = new TensorView[node.kind().outputs()];
    for (int i = 0; i < results.length; i++) {
      results[i] = view(node.entry(i));
    }
    MemorySegment workspace = graph.storage().workspaces().get(step).map(this::whole).orElse(MemorySegment.NULL);
    var call = new KernelCall(operands, results, node.kind().attributes(), workspace, stream);
    for (int i = 0; i < operands.length; i++) {
      NodeEntry entry = node.operands().get(i);
      if (!entry.isAbsent() && place(entry) instanceof Place.Input(int input)) {
        inputUses.add(new InputUse(call, i, input, graph.types().type(entry)));
      }
    }
    return call;
  }

  /** Gives the next run its inputs. */
  void bind(List<TensorView> given) {
    inputs = given;
    for (InputUse use : inputUses) {
      use.call().bindInput(use.operand(), given.get(use.input()).reshaped(use.type().shape()));
    }
  }

  /** Lets go of the last run's inputs, so that an idle executor does not keep them alive. */
  void unbind() {
    inputs = List.of();
    for (InputUse use : inputUses) {
      use.call().unbindInput(use.operand());
    }
  }

  /** What running a step means. */
  Runnable work(int step) {
    Node node = graph.storage().steps().get(step);
    Kernel kernel = graph.kernels().get(step).kernel();
    KernelCall call = calls[step];
    return () -> {
      try {
        kernel.run(call);
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new IllegalArgumentException("a kernel refuses what it was given: node=%s operator=%s reason=%s"
          .formatted(node.name(), node.operator(), e.getMessage()), e);
      }
    };
  }

  TensorView output(int index) {
    Graph.Output output = graph.graph().graph().outputs().get(index);
    return view(output.entry());
  }

  /** The pools that a step reads or writes. */
  SortedSet<Integer> poolsOf(int step) {
    var touched = new TreeSet<Integer>();
    for (NodeEntry entry : entriesOf(step)) {
      if (place(entry) instanceof Place.Planned(int buffer)) {
        touched.add(graph.plan().placements().get(buffer).pool());
      }
    }
    graph.storage().workspaces().get(step)
      .ifPresent(it -> touched.add(graph.plan().placements().get(it.buffer()).pool()));
    return touched;
  }

  /** The variables that a step reads or writes. */
  SortedSet<Integer> variablesOf(int step) {
    var touched = new TreeSet<Integer>();
    for (NodeEntry entry : entriesOf(step)) {
      if (place(entry) instanceof Place.Variable(int index)) {
        touched.add(index);
      }
    }
    return touched;
  }

  /** What a step reads and makes. */
  private List<NodeEntry> entriesOf(int step) {
    Node node = graph.storage().steps().get(step);
    List<NodeEntry> entries = new ArrayList<>(GraphRewriter.entries(node));
    node.operands().stream().filter(entry -> !entry.isAbsent()).forEach(entries::add);
    return entries;
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
    MemorySegment pool = pools.get(at.pool()).segment();
    return pool.asSlice(at.offset(), bytes);
  }
}
