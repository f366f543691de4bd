package dev.cairn.runtime.session;

import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.Compilation;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.FittingModes;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.executor.DynamicExecutor;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.VariablesOutside;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.parts.PartExecutors;
import dev.cairn.runtime.parts.PartSource;
import dev.cairn.runtime.parts.PartsExecutor;
import dev.cairn.runtime.trace.flight.FlightEvents;
import dev.cairn.runtime.trace.flight.PlanFacts;
import dev.cairn.runtime.trace.flight.PlanRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans a model for the inputs of its runs, and makes the executor of each plan. A model that cannot be planned whole
 * gets one executor that runs it in parts. Thread-safe once {@link #planLargest} has returned. Owns the executor of the
 * largest shapes; all others are the caller's.
 */
final class ModelPlanner implements PlanCache.Maker, PartExecutors {
  private static final Logger LOG = LoggerFactory.getLogger(ModelPlanner.class);
  /** Small ones for texts and batches, large ones for images. */
  private static final List<Long> SAMPLE_EXTENTS = List.of(16L, 256L);

  private final Graph graph;
  private final SessionOptions options;
  private final RunTarget target;
  private final GraphPlacer placer;
  private final NodeByNode nodeByNode;
  private final Compiler compiler;
  private final ShapeValues shapeValues = new ShapeValues();
  private volatile @Nullable StaticGraphExecutor largest;

  /**
   * @param backend what runs the model
   * @param host the device on which constants are computed while a graph is compiled
   * @param nodeByNode makes executors of nodes without a plan
   */
  ModelPlanner(Graph graph, SessionOptions options, Backend backend, Device host, GraphPlacer placer,
    NodeByNode nodeByNode) {
    this.graph = graph;
    this.options = options;
    this.target = placer.target();
    this.placer = placer;
    this.nodeByNode = nodeByNode;
    OperatorRegistry operators = options.operators();
    this.compiler = new Compiler(operators.table(), backend.catalog(operators), operators.onHost(backend
      .hostCatalog()), host.defaultStream()).withBoundResults(target.isHost());
  }

  /** The inputs whose values decide shapes, as far as they are known. */
  ShapeValues shapeValues() {
    return shapeValues;
  }

  /** The executor of the largest shapes, where the options name them; its memory serves all other plans then. */
  Optional<StaticGraphExecutor> largest() {
    return Optional.ofNullable(largest);
  }

  /**
   * Plans for the largest shapes that the options name, and takes the memory of that plan.
   *
   * @throws IllegalArgumentException when the model cannot be planned
   */
  void planLargest() {
    Map<String, TensorType> shapes = InputBinding.ofShapes(graph, options.largestShapes());
    Compilation planned;
    try (PlanRecord planning = FlightEvents.planning(graph.name())) {
      planned = compiler.planLargest(graph, shapes, options.compile());
      tell(planning, planned);
    }
    StaticGraphExecutor made = planned(switch (planned) {
      case Compilation.Planned(CompiledGraph compiled) -> compiled;
      case Compilation.NotPlannable why -> throw new IllegalArgumentException(("largest shapes need a plan, but "
        + "this model cannot be planned: node=%s operator=%s reason=%s; open it without largest shapes").formatted(why
          .node(), why.operator(), why.reason()));
    });
    largest = made;
    made.prepare();
  }

  /**
   * Asks for kernels while the processor can still serve instead of the GPU. Operators and element types decide, so
   * extents that the model admits stand for the open ones; where it admits none of these, the first run decides.
   */
  void requireKernels() {
    for (long extent : SAMPLE_EXTENTS) {
      try {
        Optional<Compilation.NotPlannable> why = compiler.requireKernels(graph, InputBinding.ofExtent(graph, extent),
          options.compile());
        if (why.isPresent()) {
          throw onHostOnly(why.get());
        }
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

  @Override
  public Optional<GraphExecutor> make(PlanKey key) {
    StaticGraphExecutor shared = largest;
    if (shared != null) {
      CompiledGraph compiled;
      try (PlanRecord planning = FlightEvents.planning(graph.name())) {
        compiled = compileWithin(shared, key.types());
        tell(planning, new Compilation.Planned(compiled));
      }
      return Optional.of(shared.within(compiled));
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
        var others = new FittingModes(options.compile(), how -> compiler.compile(key.bound(graph), key.types(), how),
          target.isHost());
        yield Optional.of(new StaticGraphExecutor(compiled, placer, Optional.of(others)));
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

  /** If any device may serve, the processor runs the model, as a GPU would copy the values between parts. */
  private DynamicGraphExecutor unplanned(Compilation.NotPlannable why) {
    if (!target.isHost() && options.device().mayFallBack()) {
      throw onHostOnly(why);
    }
    return inParts(why.reason());
  }

  private DynamicGraphExecutor inParts(String reason) {
    LOG.info("runs in parts, since it cannot be planned whole: graph={} reason={}", graph.name(), reason);
    VariablesOutside outside = VariablesOutside.of(graph);
    var source = new PartSource(compiler, options.compile(), this, target.isHost());
    var parts = new PartsExecutor(nodeByNode.required(outside.graph()), source, nodeByNode.values());
    return new DynamicGraphExecutor(parts, outside, placer.variables(), reason, placer.memory(), target);
  }

  @Override
  public StaticGraphExecutor planned(CompiledGraph compiled) {
    return new StaticGraphExecutor(compiled, placer, Optional.empty());
  }

  @Override
  public DynamicExecutor nodeByNode(Graph part) {
    return nodeByNode.executor(part);
  }

  /** Closes the executor of the largest shapes; those within it are closed already. */
  void close() {
    largest().ifPresent(StaticGraphExecutor::close);
  }
}
