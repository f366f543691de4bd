package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.trace.RunObserver;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one compiled graph, again and again, in one set of pools and on one set of streams. All addresses are known when
 * it is made: each step's kernel call is bound then. On the host the model's inputs and results are bound anew for each
 * run; elsewhere they are copied to and from where the calls expect them, so that a whole run may be recorded once and
 * repeated. A run makes no garbage of its own. Not thread-safe: one run at a time. Owns pools, streams and what inputs
 * and outputs are staged in, unless made by {@link #within}; closing frees them.
 */
public final class StaticExecutor implements AutoCloseable {
  private final CompiledGraph graph;
  private final ExecutorResources resources;
  private final StaticExecutor owner;
  private final Bindings bindings;
  private final BoundSteps steps;
  private final StepRunner runner;
  private final int inputs;
  private final int outputs;
  private final boolean writesResults;
  /** Null where kernels use the caller's memory. */
  private final @Nullable PinnedStaging staging;
  /** For runs with tensors on the device; made by the first of them. */
  private @Nullable StepRunner deviceRunner;
  private volatile boolean closed;

  /** For a graph without variables on a device of the host. */
  public StaticExecutor(CompiledGraph graph, List<TensorView> weights, Allocator allocator, Device device) {
    this(graph, weights, List.of(), allocator, RunTarget.host(device));
  }

  /**
   * @param weights the graph's constants, in the order of its storage
   * @param variables the memory of the graph's variables, in the order of its storage; only one executor over it may
   *   run at a time
   * @param allocator of the target's memory
   * @param target whose kernels the graph was compiled for; lasts longer
   * @throws dev.cairn.allocator.OutOfMemory when pools and inputs do not fit; nothing is held then
   */
  public StaticExecutor(CompiledGraph graph, List<TensorView> weights, List<TensorView> variables,
    Allocator allocator, RunTarget target) {
    this(graph, weights, variables, new ExecutorResources(graph, allocator, target), null);
  }

  /** @param owner whose resources and staging these are; null for this one */
  private StaticExecutor(CompiledGraph graph, List<TensorView> weights, List<TensorView> variables,
    ExecutorResources resources, @Nullable StaticExecutor owner) {
    this.graph = graph;
    this.resources = resources;
    this.owner = owner == null ? this : owner;
    this.inputs = graph.graph().graph().inputs().size();
    this.outputs = graph.graph().graph().outputs().size();
    PinnedStaging staged = null;
    BoundSteps bound = null;
    try {
      staged = owner == null ? newStaging() : owner.staging == null ? null : owner.staging.within(graph);
      this.staging = staged;
      this.bindings = new Bindings(graph, weights, variables, resources.pools(), staged == null
        ? List.of()
        : staged.inputs(), resources.streams());
      if (staged != null) {
        staged.bindOutputs(IntStream.range(0, outputs).mapToObj(bindings::output).toList());
      }
      this.writesResults = IntStream.range(0, outputs).anyMatch(bindings::isBound);
      bound = new BoundSteps(graph, bindings, resources.target());
      this.steps = bound;
      this.runner = newRunner(staged == null ? Staging.NONE : staged.copies(true));
    } catch (RuntimeException | Error e) {
      if (bound != null) {
        bound.close();
      }
      if (owner == null) {
        close(staged, resources);
      }
      throw e;
    }
  }

  private @Nullable PinnedStaging newStaging() {
    RunTarget target = resources.target();
    return target.isHost() ? null : new PinnedStaging(graph, target.transfers(), resources.allocator());
  }

  private StepRunner newRunner(Staging copies) {
    ExecutorStreams streams = resources.streams();
    StepRunner launched = streams.areSeveral()
      ? new StreamedRunner(new SegmentTable(graph.schedule()), steps, streams.all(), copies)
      : new SerialRunner(steps, streams.get(0), copies);
    // A run whose steps wait for values of the device cannot be recorded; its bodies are recorded alone.
    return resources.target().recorder().isAble() && !steps.runsBodies()
      ? new ReplayedRunner(launched, resources.target().recorder(), resources.recordings(), streams.get(0), copies)
      : launched;
  }

  /**
   * Runs another graph in the pools and on the streams of this one, which keeps them. Executors that share pools may
   * not run at the same time, nor after this one was closed.
   *
   * @param smaller planned in the pools of this executor's graph, for its streams
   * @param weights as for the constructor, of the other graph, as are the variables
   */
  public StaticExecutor within(CompiledGraph smaller, List<TensorView> weights, List<TensorView> variables) {
    if (!smaller.plan().pools().equals(graph.plan().pools())) {
      throw new IllegalArgumentException("planned in other pools: pools=%s wanted=%s".formatted(graph.plan().pools(),
        smaller.plan().pools()));
    }
    int streams = resources.streams().all().size();
    if (smaller.schedule().streams() > streams) {
      throw new IllegalArgumentException("planned for more streams: streams=%d wanted=%d".formatted(streams, smaller
        .schedule().streams()));
    }
    return new StaticExecutor(smaller, weights, variables, resources, this);
  }

  /** Like {@link #run(List, RunLimit)}, to its end. */
  public void run(List<TensorView> given) {
    run(given, RunLimit.NONE);
  }

  /** Like {@link #run(List, RunLimit, RunObserver)}, without an observer. */
  public void run(List<TensorView> given, RunLimit limit) {
    run(given, limit, RunObserver.NONE);
  }

  /** The same for a graph whose outputs stay in the executor's memory, on a device of the host. */
  public void run(List<TensorView> given, RunLimit limit, RunObserver observer) {
    run(given.stream().map(LocatedView::onHost).toList(), List.of(), limit, observer);
  }

  /**
   * Runs once and fills the caller's results, which the last kernels write themselves where the graph was compiled so.
   * When it throws, nothing is under way any more, and the next run may come.
   *
   * @param given one for each input of the graph, of the types it was compiled for
   * @param results one for each output of the graph, of its type; none where {@link #output} is asked afterwards, which
   *   a graph with bound results does not allow
   * @param observer is notified of this run, up to its last copy
   * @throws IllegalArgumentException when they are more or fewer, or a kernel refuses them
   * @throws StepFailed when a kernel throws anything else
   * @throws RunStopped when the limit says so before a step
   */
  public void run(List<LocatedView> given, List<LocatedView> results, RunLimit limit, RunObserver observer) {
    boolean isFull = results.size() == outputs || (results.isEmpty() && !writesResults);
    if (given.size() != inputs || !isFull) {
      throw new IllegalArgumentException("inputs or results and graph differ: inputs=%d wanted=%d results=%d wanted=%d"
        .formatted(given.size(), inputs, results.size(), outputs));
    }
    if (isClosed()) {
      throw new IllegalStateException("executor is closed: graph=" + graph.graph().graph().name());
    }
    PinnedStaging way = staging;
    if (way == null) {
      bindings.bind(given, results);
    } else {
      way.bind(given, results);
    }
    observer.admitted();
    RunObserver ofSteps = observer.observesSteps() ? observer : RunObserver.NONE;
    if (way == null) {
      runner.run(limit, ofSteps);
      copyUnwritten(results, ofSteps);
    } else {
      runnerFor(way).run(limit, ofSteps);
      way.finish(ofSteps);
    }
  }

  /** Outputs that no kernel writes into a result: inputs, constants, variables, and an entry that is two outputs. */
  private void copyUnwritten(List<LocatedView> results, RunObserver observer) {
    for (int i = 0; i < results.size(); i++) {
      if (!bindings.isBound(i)) {
        observer.copyBegan(i);
        results.get(i).view().segment().copyFrom(bindings.output(i).segment());
        observer.copyEnded(i);
      }
    }
  }

  private StepRunner runnerFor(PinnedStaging way) {
    if (!way.isOnDevice()) {
      return runner;
    }
    StepRunner made = deviceRunner;
    if (made == null) {
      made = newRunner(way.copies(false));
      deviceRunner = made;
    }
    return made;
  }

  /** Lets go of the last run's tensors; outputs that are inputs can no longer be read. */
  void releaseTensors() {
    PinnedStaging way = staging;
    if (way == null) {
      bindings.unbind();
    } else {
      way.unbind();
    }
  }

  /** One output of the last run, in the memory of a device of the host; it lasts until the next run. */
  public TensorView output(int index) {
    if (staging != null) {
      throw new IllegalStateException("outputs of a device are read from results: device=" + resources.target().device()
        .id());
    }
    return bindings.output(index);
  }

  public CompiledGraph graph() {
    return graph;
  }

  /** The executor in whose pools this one runs: itself, or the executor that made it. */
  StaticExecutor owner() {
    return owner;
  }

  /** Whether its pools are gone. */
  public boolean isClosed() {
    return owner.closed;
  }

  /** Ends the streams and frees the pools, if they are its own. */
  @Override
  public void close() {
    try (steps) {
      if (owner == this) {
        closed = true;
        close(staging, resources);
      }
    }
  }

  private static void close(@Nullable PinnedStaging staging, ExecutorResources resources) {
    try (resources) {
      if (staging != null) {
        staging.close();
      }
    }
  }
}
