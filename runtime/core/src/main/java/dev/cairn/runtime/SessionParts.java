package dev.cairn.runtime;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.catalog.family.StandardKernels;
import dev.cairn.kernels.cpu.CpuDevice;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
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
  private final CpuDevice device;
  private final WeightStore weights;
  private final Compiler compiler;
  private final PlannedModels plans;
  private final MemoryQueue queue = new MemoryQueue(this::makeRoom);
  private final NodeByNode nodeByNode;
  private @Nullable PlannedModel largest;

  SessionParts(Graph graph, SessionOptions options, SubAllocator source) {
    this.graph = graph;
    this.options = options;
    memory = SessionMemory.over(source, options.memoryLimitBytes(), options.memoryListener());
    device = new CpuDevice(options.threadsOfKernel());
    weights = new WeightStore(memory.allocator());
    variables = new SessionVariables(graph, memory.allocator());
    compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
    plans = new PlannedModels(options.maxPlans(), this::plan);
    nodeByNode = new NodeByNode(graph, this, this::newDynamicExecutor);
  }

  /** What runs the graph where it cannot be planned. */
  NodeByNode nodeByNode() {
    return nodeByNode;
  }

  private DynamicExecutor newDynamicExecutor() {
    var places = new DynamicMemory(memory.allocator(), weights, variables.store());
    DynamicExecutor made = queue.begin(() -> new DynamicExecutor(graph, StandardOperators.table(), StandardKernels
      .catalog(), places, device), RunLimit.NONE);
    queue.end();
    return made;
  }

  /** Memory for the results of one run. */
  Map<String, Tensor> newResults(Map<String, TensorType> types) {
    return memory.newResults(types);
  }

  SessionVariables variables() {
    return variables;
  }

  Allocator allocator() {
    return memory.allocator();
  }

  CpuDevice device() {
    return device;
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
      PlannedModel planned = planAlone(InputBinding.ofShapes(graph, options.largestShapes()));
      largest = planned;
      planned.prepare();
    }
  }

  private PlannedModel plan(Map<String, TensorType> types) {
    PlannedModel shared = largest;
    return shared == null ? planAlone(types) : planWithin(shared, types);
  }

  private PlannedModel planAlone(Map<String, TensorType> types) {
    CompiledGraph compiled = told(() -> compiler.compile(graph, types, options.compile()));
    WeightStore.Lease constants = store(compiled.storage().constants());
    Supplier<Map<String, Tensor>> results = results(compiled);
    Supplier<StaticExecutor> maker = () -> new StaticExecutor(compiled, constants.views(), variables(compiled),
      memory.allocator(), device, options.listeners().listenerFor(compiled));
    return PlannedModel.alone(compiled, constants, new ExecutorPool<>(maker, results, options.maxConcurrentRuns()),
      results);
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

  private Supplier<Map<String, Tensor>> results(CompiledGraph compiled) {
    Map<String, TensorType> outputs = compiled.outputTypes();
    return () -> memory.newResults(outputs);
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
    memory.allocator().trim();
  }

  void release() {
    try (device) {
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
