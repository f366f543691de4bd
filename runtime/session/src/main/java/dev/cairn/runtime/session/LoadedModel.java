package dev.cairn.runtime.session;

import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.budget.FairPermits;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.WeightStore;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.trace.RunObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A graph on a device: weights, variables, plans and their executors. All that a session holds; apart from it, so that
 * it can be given back when a session is forgotten. Thread-safe once {@link #prepare} has returned.
 */
final class LoadedModel implements MemoryBudget.Member {
  private final Graph graph;
  private final SessionOptions options;
  private final Backend backend;
  private final RunTarget target;
  /** On which constants are computed while a graph is compiled. */
  private final Device host;
  private final SessionMemory memory;
  private final SessionVariables variables;
  private final NodeByNode nodeByNode;
  private final ModelPlanner planner;
  private final PlanCache plans;
  /** One for each concurrent run that the options allow; runs that assign to variables come one after the other. */
  private final FairPermits slots;
  private final RunObserver.Source observers;
  private final DeclaredResults declaredResults;

  /** @param backend closed with this */
  LoadedModel(Graph graph, SessionOptions options, Backend backend) {
    this.graph = graph;
    this.options = options.withLimitedPlans();
    this.backend = backend;
    declaredResults = new DeclaredResults(graph);
    target = options.device().replay() ? backend.target() : backend.target().withoutReplay();
    memory = new SessionMemory(backend, options.memory());
    Device ofConstants = null;
    try {
      ofConstants = target.isHost() ? target.device() : new CpuDevice(1);
      host = ofConstants;
      slots = new FairPermits(graph.assigns().isEmpty() ? options.maxConcurrentRuns() : 1);
      var weights = new WeightStore(memory.regions(), target.transfers(), memory.hostRegions());
      nodeByNode = new NodeByNode(backend, options.operators(), memory, weights, host, options.threads());
      variables = new SessionVariables(graph, memory.regions(), target.transfers(), memory.queue());
      planner = new ModelPlanner(graph, this.options, backend, host,
        new GraphPlacer(memory, options.memory().limitBytes(),
          target, weights, variables),
        nodeByNode);
      observers = RunObserver.Source.all(options.observers(), memory.guard());
      plans = new PlanCache(options.maxPlans(), planner.shapeValues(), planner, memory.queue());
    } catch (RuntimeException | Error e) {
      // The caller closes the backend.
      memory.closePools();
      if (ofConstants != null && !target.isHost()) {
        ofConstants.close();
      }
      throw e;
    }
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

  /** The types that the model's file declares for results. */
  DeclaredResults declaredResults() {
    return declaredResults;
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
      planner.planLargest();
    }
    Map<String, TensorType> types = knownTypes();
    if (types != null) {
      Optional<PlanCache.Entry> first = plans.take(types, RunLimit.NONE);
      if (first.isPresent()) {
        try {
          first.get().executor().prepare();
        } finally {
          plans.giveBack(first.get());
        }
      }
    } else if (planner.largest().isEmpty() && options.device().mayFallBack() && !target.isHost()) {
      planner.requireKernels();
    }
  }

  /** The types of the first run's inputs, where the model or the options say them; else null. */
  private @Nullable Map<String, TensorType> knownTypes() {
    Map<String, Shape> given = options.shapes();
    boolean known = graph.inputs().stream().allMatch(input -> input.kind() instanceof NodeKind.Input(DeclaredType type)
      && type.known().isPresent());
    return given.isEmpty() && !known ? null : InputBinding.ofShapes(graph, given);
  }

  @Override
  public void releaseExecutors() {
    executors().forEach(GraphExecutor::closeIdle);
    memory.pool().trim();
  }

  @Override
  public void releaseWeights() {
    executors().forEach(GraphExecutor::releaseWeights);
    memory.pool().trim();
  }

  private List<GraphExecutor> executors() {
    List<GraphExecutor> all = new ArrayList<>(plans.executors());
    planner.largest().ifPresent(all::add);
    return all;
  }

  /**
   * Gives back all but what results still hold, whatever fails on the way; no run may be under way.
   *
   * @throws IllegalStateException when something could not be given back
   */
  void release() {
    List<Runnable> parts = new ArrayList<>(List.of(memory::leave, plans::close, nodeByNode::close, planner::close,
      variables::close, memory::release));
    if (!target.isHost()) {
      parts.add(host::close);
    }
    IllegalStateException failure = null;
    for (Runnable part : parts) {
      try {
        part.run();
      } catch (RuntimeException | Error e) {
        if (failure == null) {
          failure = new IllegalStateException("the session is closed, but not all of its memory could be given back: "
            + "reason=" + e, e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
