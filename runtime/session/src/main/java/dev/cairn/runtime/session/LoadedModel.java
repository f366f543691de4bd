package dev.cairn.runtime.session;

import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.budget.FairPermits;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.compile.Compilation;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.FittingModes;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.StaticExecutor;
import dev.cairn.runtime.executor.WeightStore;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.VariablesOutside;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.gradient.StandardGradients;
import dev.cairn.runtime.parts.PartSource;
import dev.cairn.runtime.parts.PartsExecutor;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.flight.FlightEvents;
import dev.cairn.runtime.trace.flight.PlanFacts;
import dev.cairn.runtime.trace.flight.PlanRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A graph on a device: weights, variables, plans and their executors. All that a session holds; apart from it, so that
 * it can be given back when a session is forgotten. Thread-safe once {@link #prepare} has returned.
 */
final class LoadedModel implements MemoryBudget.Member {
  private static final Logger LOG = LoggerFactory.getLogger(LoadedModel.class);
  /** Small ones for texts and batches, large ones for images. */
  private static final List<Long> SAMPLE_EXTENTS = List.of(16L, 256L);

  private final Graph graph;
  private final SessionOptions options;
  private final Backend backend;
  private final RunTarget target;
  /** On which constants are computed while a graph is compiled. */
  private final Device host;
  private final SessionMemory memory;
  private final SessionVariables variables;
  private final WeightStore weights;
  private final NodeByNode nodeByNode;
  private final Compiler compiler;
  private final ShapeValues shapeValues = new ShapeValues();
  private final PlanCache plans;
  /** One for each concurrent run that the options allow; runs that assign to variables come one after the other. */
  private final FairPermits slots;
  private final StaticGraphExecutor.Admission admission;
  private volatile @Nullable StaticGraphExecutor largest;
  private final RunObserver.Source observers;

  /** @param backend closed with this */
  LoadedModel(Graph graph, SessionOptions options, Backend backend) {
    this.graph = graph;
    this.options = options.withLimitedPlans();
    this.backend = backend;
    OperatorRegistry operators = options.operators();
    target = options.device().replay() ? backend.target() : backend.target().withoutReplay();
    memory = new SessionMemory(backend, options.memory());
    slots = new FairPermits(graph.assigns().isEmpty() ? options.maxConcurrentRuns() : 1);
    host = target.isHost() ? target.device() : new CpuDevice(1);
    weights = new WeightStore(memory.regions(), target.transfers(), memory.hostRegions());
    nodeByNode = new NodeByNode(backend, operators, memory, weights, host, options.threads());
    variables = new SessionVariables(graph, memory.regions(), target.transfers(), memory::await);
    compiler = new Compiler(operators.table(), backend.catalog(operators), operators.onHost(backend.hostCatalog()), host
      .defaultStream()).withGradients(operators.gradients(StandardGradients.table())).withBoundResults(target.isHost());
    admission = new StaticGraphExecutor.Admission(memory, options.memory().limitBytes(), target.isHost(),
      target.device().description());
    observers = RunObserver.Source.all(options.observers(), memory.guard());
    plans = new PlanCache(options.maxPlans(), shapeValues, this::newExecutor, memory::await);
  }

  Backend backend() {
    return backend;
  }

  SessionMemory memory() {
    return memory;
  }

  SessionVariables variables() {
    return variables;
  }

  /** The observers of each run: those of the options, and what watches over red zones. */
  RunObserver.Source observers() {
    return observers;
  }

  PlanCache plans() {
    return plans;
  }

  FairPermits slots() {
    return slots;
  }

  /**
   * Places variables, and plans for the largest shapes if the options name them. Where the types of the first run are
   * known, it is planned too, and its weights are placed.
   */
  void prepare() {
    memory.join(this);
    memory.begin(variables::placed, RunLimit.NONE);
    memory.end();
    if (!options.largestShapes().isEmpty()) {
      Map<String, TensorType> shapes = InputBinding.ofShapes(graph, options.largestShapes());
      Compilation planned;
      try (PlanRecord planning = FlightEvents.planning(graph.name())) {
        planned = compiler.planLargest(graph, shapes, options.compile());
        tell(planning, planned);
      }
      StaticGraphExecutor made = alone(switch (planned) {
        case Compilation.Planned(CompiledGraph compiled) -> compiled;
        case Compilation.NotPlannable why -> throw new IllegalArgumentException(("largest shapes need a plan, but "
          + "this model cannot be planned: node=%s operator=%s reason=%s; open it without largest shapes").formatted(why
            .node(), why.operator(), why.reason()));
      }, Optional.empty());
      largest = made;
      made.prepare();
    }
    Map<String, TensorType> types = knownTypes();
    if (types != null) {
      plans.take(types, RunLimit.NONE).ifPresent(first -> {
        try {
          first.executor().prepare();
        } finally {
          plans.giveBack(first);
        }
      });
    } else if (largest == null && options.device().mayFallBack() && !target.isHost()) {
      requireKernels();
    }
  }

  /** The types of the first run's inputs, where the model or the options tell; else null. */
  private @Nullable Map<String, TensorType> knownTypes() {
    Map<String, Shape> given = options.shapes();
    boolean known = graph.inputs().stream().allMatch(input -> input.kind() instanceof NodeKind.Input(DeclaredType type)
      && type.known().isPresent());
    return given.isEmpty() && !known ? null : InputBinding.ofShapes(graph, given);
  }

  /**
   * Asks for kernels while the processor can still serve instead of the GPU. Operators and element types decide, so
   * extents that the model admits stand for the open ones; where it admits none of these, the first run tells.
   */
  private void requireKernels() {
    for (long extent : SAMPLE_EXTENTS) {
      try {
        compiler.requireKernels(graph, InputBinding.ofExtent(graph, extent), options.compile()).ifPresent(why -> {
          throw onHostOnly(why);
        });
        return;
      } catch (InvalidGraph | IllegalArgumentException e) {
        LOG.debug("kernels not checked: graph={} extent={} reason={}", graph.name(), extent, e.getMessage());
      }
    }
  }

  private UnsupportedOperators onHostOnly(Compilation.NotPlannable why) {
    return new UnsupportedOperators(List.of(new UnsupportedOperators.Gap(why.node(), why.operator(),
      "its shape depends on a value, which the processor runs without copies: device=" + target.device().id())));
  }

  private Optional<GraphExecutor> newExecutor(PlanKey key) {
    StaticGraphExecutor shared = largest;
    if (shared != null) {
      CompiledGraph compiled;
      try (PlanRecord planning = FlightEvents.planning(graph.name())) {
        compiled = compileWithin(shared, key.types());
        tell(planning, new Compilation.Planned(compiled));
      }
      return Optional.of(within(shared, compiled));
    }
    Optional<String> noPlan = target.isHost() ? shapeValues.noPlanReason(key) : Optional.empty();
    if (noPlan.isPresent()) {
      return Optional.of(inParts(noPlan.get()));
    }
    Compilation planned;
    try (PlanRecord planning = FlightEvents.planning(graph.name())) {
      planned = compiler.plan(key.bound(graph), key.types(), options.compile());
      tell(planning, planned);
    }
    return switch (planned) {
      case Compilation.Planned(CompiledGraph compiled) -> {
        shapeValues.countPlan(key);
        yield Optional.of(alone(compiled, Optional.of(new FittingModes(options.compile(), how -> compiler.compile(
          key.bound(graph), key.types(), how), target.isHost()))));
      }
      case Compilation.NotPlannable why -> mayBind(why) && shapeValues.add(why.inputs(), key.types())
        ? Optional.empty()
        : Optional.of(unplanned(why));
    };
  }

  /** Whether plans may be made for the values of these inputs. A GPU that the processor can replace is left instead. */
  private boolean mayBind(Compilation.NotPlannable why) {
    return !why.inputs().isEmpty() && (target.isHost() || !options.device().mayFallBack());
  }

  private static void tell(PlanRecord planning, Compilation made) {
    if (planning.isOn() && made instanceof Compilation.Planned(CompiledGraph it)) {
      planning
        .planned(new PlanFacts(it.score().planner(), it.storage().steps().size(), it.storage().problem().size(), it
          .score().peakBytes(), it.score().boundBytes(), it.planNanos()));
    }
  }

  private StaticGraphExecutor alone(CompiledGraph compiled, Optional<FittingModes> others) {
    return new StaticGraphExecutor(compiled, admission, placing(compiled), lease -> new StaticExecutor(compiled, lease
      .views(), variables(compiled), memory.regions(), target), others);
  }

  private StaticGraphExecutor within(StaticGraphExecutor shared, CompiledGraph compiled) {
    List<TensorView> memoryOfVariables = variables(compiled);
    return new StaticGraphExecutor(shared, compiled, placing(compiled), (executor, lease) -> executor.within(compiled,
      lease.views(), memoryOfVariables));
  }

  private Supplier<WeightStore.Lease> placing(CompiledGraph compiled) {
    return () -> weights.store(compiled.storage().constants(), compiled.streamedConstants());
  }

  private CompiledGraph compileWithin(StaticGraphExecutor shared, Map<String, TensorType> types) {
    try {
      return compiler.compileWithin(shared.graph(), graph, types, options.compile());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
        "inputs do not fit the plan of the largest shapes: inputs=%s largest=%s reason=%s"
          .formatted(types, new TreeMap<>(options.largestShapes()), e.getMessage()),
        e);
    }
  }

  /** Where any device may serve, the processor does: a GPU would copy the values between parts. */
  private DynamicGraphExecutor unplanned(Compilation.NotPlannable why) {
    if (!target.isHost() && options.device().mayFallBack()) {
      throw onHostOnly(why);
    }
    return inParts(why.reason());
  }

  private DynamicGraphExecutor inParts(String reason) {
    LOG.info("runs in parts, since it cannot be planned whole: graph={} reason={}", graph.name(), reason);
    VariablesOutside outside = VariablesOutside.of(graph);
    var source = new PartSource(compiler, options.compile(), compiled -> alone(compiled, Optional.empty()),
      (largest, compiled) -> within((StaticGraphExecutor) largest, compiled), nodeByNode::executor, target.isHost());
    var parts = new PartsExecutor(nodeByNode.required(outside.graph()), source, nodeByNode.values());
    return new DynamicGraphExecutor(parts, outside, variables, reason, memory, target);
  }

  private List<TensorView> variables(CompiledGraph compiled) {
    return variables.views(compiled.storage().variables().variables());
  }

  @Override
  public void releaseExecutors() {
    forEachExecutor(GraphExecutor::closeIdle);
  }

  @Override
  public void releaseWeights() {
    forEachExecutor(GraphExecutor::releaseWeights);
  }

  private void forEachExecutor(Consumer<GraphExecutor> release) {
    plans.executors().forEach(release);
    StaticGraphExecutor shared = largest;
    if (shared != null) {
      release.accept(shared);
    }
    memory.pool().trim();
  }

  /** Gives back all but what results still hold; no run may be under way. */
  void release() {
    try {
      memory.leave();
      plans.close();
      nodeByNode.close();
      StaticGraphExecutor shared = largest;
      if (shared != null) {
        shared.close();
      }
      variables.close();
    } finally {
      memory.release();
      if (!target.isHost()) {
        host.close();
      }
    }
  }
}
