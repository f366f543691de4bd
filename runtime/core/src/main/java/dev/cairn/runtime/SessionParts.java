package dev.cairn.runtime;

import dev.cairn.allocator.Allocator;
import dev.cairn.kernels.catalog.family.StandardKernels;
import dev.cairn.kernels.cpu.CpuDevice;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.executor.DynamicExecutor;
import dev.cairn.runtime.executor.DynamicMemory;
import dev.cairn.runtime.executor.ExecutorPool;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.StaticExecutor;
import dev.cairn.runtime.executor.WeightStore;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.trace.flight.FlightEvents;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a session holds; apart from it, so that it can be given back when a session is forgotten. Thread-safe once the
 * largest shapes are planned.
 */
final class SessionParts {
  private final Graph graph;
  private final SessionOptions options;
  private final SessionVariables variables;
  private final SessionMemory memory;
  private final Backend backend;
  private final RunTarget target;
  /** On which constants are computed while a graph is compiled. */
  private final Device host;
  private final WeightStore weights;
  private final Compiler compiler;
  private final PlannedModels plans;
  private final MemoryQueue queue = new MemoryQueue(this::makeRoom);
  private final NodeByNode nodeByNode;
  private final PlannedRuns plannedRuns;
  private @Nullable PlannedModel largest;

  /** @param backend closed with this */
  SessionParts(Graph graph, SessionOptions options, Backend backend) {
    this.graph = graph;
    this.options = options;
    this.backend = backend;
    target = options.device().replay() ? backend.target() : backend.target().withoutReplay();
    memory = new SessionMemory(backend, options.memoryLimitBytes(), options.memoryListener());
    host = target.isHost() ? target.device() : new CpuDevice(1);
    weights = new WeightStore(memory.regions(), target.transfers());
    variables = new SessionVariables(graph, memory.regions(), target.transfers());
    compiler = new Compiler(StandardOperators.table(), backend.catalog(), StandardKernels.catalog(), host
      .defaultStream()).withBoundResults(target.isHost());
    plans = new PlannedModels(options.maxPlans(), this::plan);
    nodeByNode = new NodeByNode(graph, this, this::newDynamicExecutor);
    plannedRuns = new PlannedRuns(graph, this);
  }

  /** What runs the graph where it cannot be planned. */
  NodeByNode nodeByNode() {
    return nodeByNode;
  }

  /** What runs it where it can. */
  PlannedRuns plannedRuns() {
    return plannedRuns;
  }

  private DynamicExecutor newDynamicExecutor() {
    var places = new DynamicMemory(memory.pool(), weights, variables.store());
    DynamicExecutor made = queue.begin(() -> new DynamicExecutor(graph, StandardOperators.table(), StandardKernels
      .catalog(), places, target.device()), RunLimit.NONE);
    queue.end();
    return made;
  }

  SessionMemory memory() {
    return memory;
  }

  SessionOptions options() {
    return options;
  }

  SessionVariables variables() {
    return variables;
  }

  Allocator allocator() {
    return memory.pool();
  }

  Backend backend() {
    return backend;
  }

  PlannedModels plans() {
    return plans;
  }

  MemoryQueue queue() {
    return queue;
  }

  /** Plans for the largest shapes, if the options name them; before any other plan. */
  void planLargest() {
    if (!options.largestShapes().isEmpty()) {
      Map<String, TensorType> types = InputBinding.ofShapes(graph, options.largestShapes());
      PlannedModel planned = planAlone(told(() -> compiler.compileLargest(graph, types, options.compile())));
      largest = planned;
      planned.prepare();
    }
  }

  private PlannedModel plan(Map<String, TensorType> types) {
    PlannedModel shared = largest;
    return shared == null
      ? planAlone(told(() -> compiler.compile(graph, types, options.compile())))
      : planWithin(shared, types);
  }

  private PlannedModel planAlone(CompiledGraph compiled) {
    WeightStore.Lease constants = store(compiled.storage().constants());
    Supplier<StaticExecutor> maker = () -> new StaticExecutor(compiled, constants.views(), variables(compiled),
      memory.regions(), target, options.listeners().listenerFor(compiled));
    return PlannedModel.alone(compiled, constants, new ExecutorPool(maker, options.maxConcurrentRuns()), results(
      compiled));
  }

  private PlannedModel planWithin(PlannedModel shared, Map<String, TensorType> types) {
    CompiledGraph compiled = told(() -> compileWithin(shared, types));
    WeightStore.Lease constants = store(compiled.storage().constants());
    List<TensorView> memoryOfVariables = variables(compiled);
    return shared.within(compiled, constants, executor -> executor.within(compiled, constants.views(),
      memoryOfVariables, options.listeners().listenerFor(compiled)), results(compiled));
  }

  private CompiledGraph told(Supplier<CompiledGraph> compiling) {
    return FlightEvents.plan(graph.name(), compiling, TraceFacts::plan);
  }

  private CompiledGraph compileWithin(PlannedModel shared, Map<String, TensorType> types) {
    try {
      return compiler.compileWithin(shared.graph(), graph, types, options.compile());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
        "inputs do not fit the plan of the largest shapes: inputs=%s largest=%s reason=%s"
          .formatted(types, new TreeMap<>(options.largestShapes()), e.getMessage()),
        e);
    }
  }

  private Function<RunOptions, Map<String, Tensor>> results(CompiledGraph compiled) {
    Map<String, TensorType> outputs = compiled.outputTypes();
    return how -> memory.newResults(outputs, how::staysOnDevice);
  }

  private List<TensorView> variables(CompiledGraph compiled) {
    return variables.views(compiled.storage().variables().variables());
  }

  /** Storing ends when it is done; what is stored is a plan's. */
  private WeightStore.Lease store(List<Node> constants) {
    WeightStore.Lease lease = queue.begin(() -> weights.store(constants), RunLimit.NONE);
    queue.end();
    return lease;
  }

  private void makeRoom() {
    plans.giveUpIdle();
    PlannedModel shared = largest;
    if (shared != null) {
      shared.closeIdle();
    }
    memory.pool().trim();
  }

  void release() {
    try {
      releaseMemory();
    } finally {
      if (!target.isHost()) {
        host.close();
      }
    }
  }

  private void releaseMemory() {
    try {
      plans.close();
      PlannedModel shared = largest;
      if (shared != null) {
        shared.close();
      }
      nodeByNode.close();
      variables.close();
    } finally {
      memory.release();
    }
  }
}
