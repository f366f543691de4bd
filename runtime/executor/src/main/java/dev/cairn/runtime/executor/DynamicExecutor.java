package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.UnreadSlices;
import dev.cairn.runtime.invoke.DispatchTable;
import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.trace.RunObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a graph whose shapes depend on values, node by node: the types of a node's results are found when all that it
 * reads is there, memory is asked for then and given back after the last reader. Nothing is planned, simplified or done
 * in place. Branches that take long run side by side on an engine. For devices whose memory the host can read.
 * Thread-safe: any number of runs at a time. Owns its hold on the graph's constants.
 */
public final class DynamicExecutor implements ValueExecutor {
  private final IndexedGraph graph;
  private final DispatchTable dispatches;
  private final Allocator allocator;
  private final Device device;
  private final WeightStore.Lease weights;
  private final Map<NodeEntry, RunValue> given = new LinkedHashMap<>();
  private final Map<Node, List<DynamicExecutor>> bodies = new HashMap<>();
  private final OperatorTable operators;
  private final int[] readers;
  private final List<Node> steps;
  private final StepOperations operations;

  /**
   * @param operators what is known of the graph's operators
   * @param catalog kernels of the device
   * @param memory where constants lie, and from where results come
   * @param engine for branches, open until this is closed; null to run all nodes on the caller's thread
   * @throws UnsupportedOperators when the graph has operators that are not in the table, or variables
   * @throws dev.cairn.allocator.OutOfMemory when the constants do not fit; nothing is held then
   */
  public DynamicExecutor(Graph model, OperatorTable operators, KernelCatalog catalog, DynamicMemory memory,
    Device device, @Nullable Engine engine) {
    this(model, operators, catalog, memory, device, engine, System::nanoTime);
  }

  /** @param clock measures how long steps take, in nanoseconds */
  DynamicExecutor(Graph model, OperatorTable operators, KernelCatalog catalog, DynamicMemory memory, Device device,
    @Nullable Engine engine, LongSupplier clock) {
    Graph graph = UnreadSlices.dropped(model);
    this.graph = new IndexedGraph(graph);
    this.operators = operators;
    this.dispatches = new DispatchTable(operators, catalog, DispatchTable.LIMIT);
    this.allocator = memory.allocator();
    this.device = device;
    this.readers = readers(this.graph);
    this.steps = graph.nodes().stream().filter(Node::isComputed).toList();
    this.operations = new StepOperations(steps, engine, clock);
    requireOperators(graph, operators);
    List<Node> constants = graph.nodes().stream().filter(node -> isStored(node)).toList();
    this.weights = memory.weights().store(constants);
    for (int i = 0; i < constants.size(); i++) {
      given.put(constants.get(i).entry(), RunValue.of(weights.views().get(i)));
    }
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Constant(TensorView value) && !isStored(node)) {
        given.put(node.entry(), RunValue.of(value));
      }
    }
    openBodies(catalog, memory, engine, clock);
  }

  /** Whether a node is a constant in the session's memory. Strings stay where they are, on the heap. */
  private static boolean isStored(Node node) {
    return node.kind() instanceof NodeKind.Constant(TensorView value) && value.dtype() != DType.STRING;
  }

  private void openBodies(KernelCatalog catalog, DynamicMemory memory, @Nullable Engine engine, LongSupplier clock) {
    try {
      for (Node node : steps) {
        if (node.kind() instanceof NodeKind.Control control) {
          List<DynamicExecutor> inside = new ArrayList<>();
          bodies.put(node, inside);
          control.bodies().forEach(body -> inside.add(new DynamicExecutor(body, operators, catalog, memory, device,
            engine, clock)));
        }
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Refuses what no graph without a plan can have.
   *
   * @throws UnsupportedOperators when the graph has operators that are not in the table, or variables
   */
  public static void requireOperators(Graph graph, OperatorTable operators) {
    List<UnsupportedOperators.Gap> gaps = new ArrayList<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Apply && operators.find(node.operator()).isEmpty()
        && ContainerOperators.find(node.operator()).isEmpty()) {
        gaps.add(new UnsupportedOperators.Gap(node.name(), node.operator(), "no such operator"));
      } else if (node.kind() instanceof NodeKind.Variable) {
        gaps.add(new UnsupportedOperators.Gap(node.name(), node.operator(),
          "variables are inputs and outputs of a graph that runs node by node"));
      }
    }
    if (!gaps.isEmpty()) {
      throw new UnsupportedOperators(gaps);
    }
  }

  /** For each entry id, how often it is read by nodes and outputs. */
  private static int[] readers(IndexedGraph graph) {
    int[] count = new int[graph.entryCount()];
    for (Node node : graph.graph().nodes()) {
      node.operands().stream().filter(entry -> !entry.isAbsent()).forEach(entry -> count[graph.entryId(entry)]++);
    }
    graph.graph().outputs().forEach(output -> count[graph.entryId(output.entry())]++);
    return count;
  }

  /** The nodes that do something, in the order in which a run does them. */
  public List<Node> steps() {
    return steps;
  }

  /** Like {@link #run(List, RunLimit, RunObserver)}, without an observer. */
  public DynamicRun run(List<TensorView> inputs, RunLimit limit) {
    return run(inputs, limit, RunObserver.NONE);
  }

  /** Like {@link #runValues}, with tensors alone. */
  public DynamicRun run(List<TensorView> inputs, RunLimit limit, RunObserver observer) {
    return runValues(inputs.stream().map(RunValue::of).toList(), limit, observer);
  }

  @Override
  public DynamicRun runValues(List<RunValue> inputs, RunLimit limit, RunObserver observer) {
    List<Node> names = graph.graph().inputs();
    if (inputs.size() != names.size()) {
      throw new IllegalArgumentException("inputs and graph differ: inputs=%d wanted=%d".formatted(inputs.size(), names
        .size()));
    }
    boolean isObserved = observer.observesSteps() && !observer.equals(RunObserver.NONE);
    boolean together = !isObserved && operations.pay();
    try {
      return run(inputs, limit, observer, together);
    } catch (OutOfMemory e) {
      if (!together) {
        throw e;
      }
      return run(inputs, limit, observer, false); // running one branch after the other needs less memory
    }
  }

  private DynamicRun run(List<RunValue> inputs, RunLimit limit, RunObserver observer, boolean together) {
    List<Node> names = graph.graph().inputs();
    var run = new DynamicRun(this, allocator, limit);
    try {
      for (int i = 0; i < inputs.size(); i++) {
        run.give(names.get(i).entry(), inputs.get(i));
      }
      given.forEach(run::give);
      observer.admitted();
      run.runAll(observer.observesSteps() ? observer : RunObserver.NONE, together);
      return run;
    } catch (RuntimeException | Error e) {
      run.close();
      throw e;
    }
  }

  /** Runs steps in order, or side by side. */
  StepOperations operations() {
    return operations;
  }

  IndexedGraph graph() {
    return graph;
  }

  /** How the graph's nodes run. */
  DispatchTable dispatches() {
    return dispatches;
  }

  Device device() {
    return device;
  }

  int readers(NodeEntry entry) {
    return readers[graph.entryId(entry)];
  }

  /** The bodies of a node that runs some. */
  List<DynamicExecutor> bodies(Node node) {
    return bodies.getOrDefault(node, List.of());
  }

  OperatorTable operators() {
    return operators;
  }

  /** Gives up the constants; no run may be under way, or its outputs still be read. */
  @Override
  public void close() {
    bodies.values().forEach(inside -> inside.forEach(DynamicExecutor::close));
    dispatches.close();
    weights.close();
  }
}
