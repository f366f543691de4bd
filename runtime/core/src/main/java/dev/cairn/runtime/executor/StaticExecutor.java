package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompiledGraph;
import java.util.List;

/**
 * Runs one compiled graph, again and again, in one set of pools and on one set of streams. All addresses are known when
 * it is made: each step's kernel call is bound then. On the host the model's inputs and results are bound anew for each
 * run; elsewhere they are copied to and from where the calls expect them, so that a whole run may be recorded once and
 * repeated. A run makes no garbage of its own. Not thread-safe: one run at a time. Owns pools and streams, unless made by {@link
 * #within}; closing frees them.
 */
public final class StaticExecutor implements AutoCloseable {
  private final CompiledGraph graph;
  private final ExecutorGround ground;
  private final StaticExecutor owner;
  private final RunListener listener;
  private final BoundGraph bound;
  private volatile boolean closed;

  /** For a graph without variables on a device of the host, with nobody listening. */
  public StaticExecutor(CompiledGraph graph, List<TensorView> weights, Allocator allocator, Device device) {
    this(graph, weights, List.of(), allocator, device, RunListener.NONE);
  }

  /** For a device of the host. */
  public StaticExecutor(CompiledGraph graph, List<TensorView> weights, List<TensorView> variables,
    Allocator allocator, Device device, RunListener listener) {
    this(graph, weights, variables, allocator, RunTarget.host(device), listener);
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
    Allocator allocator, RunTarget target, RunListener listener) {
    this.graph = graph;
    this.owner = this;
    this.listener = listener;
    this.ground = new ExecutorGround(graph, allocator, target);
    try {
      this.bound = BoundGraph.owning(graph, weights, variables, ground);
    } catch (RuntimeException | Error e) {
      ground.close();
      throw e;
    }
  }

  private StaticExecutor(CompiledGraph graph, StaticExecutor owner, BoundGraph bound, RunListener listener) {
    this.graph = graph;
    this.ground = owner.ground;
    this.owner = owner;
    this.listener = listener;
    this.bound = bound;
  }

  /**
   * Runs another graph in the pools and on the streams of this one, which keeps them. Of all that share pools one may
   * run at a time, and none after this one was closed.
   *
   * @param smaller planned in the pools of this executor's graph, for its streams
   * @param weights as for the constructor, of the other graph, as are the variables and the listener
   */
  public StaticExecutor within(CompiledGraph smaller, List<TensorView> weights, List<TensorView> variables,
    RunListener smallerListener) {
    if (!smaller.plan().pools().equals(graph.plan().pools())) {
      throw new IllegalArgumentException("planned in other pools: pools=%s wanted=%s".formatted(graph.plan().pools(),
        smaller.plan().pools()));
    }
    int streams = ground.streams().all().size();
    if (smaller.schedule().streams() > streams) {
      throw new IllegalArgumentException("planned for more streams: streams=%d wanted=%d".formatted(streams, smaller
        .schedule().streams()));
    }
    return new StaticExecutor(smaller, this, bound.within(smaller, weights, variables),
      smallerListener);
  }

  /** As {@link #run(List, RunLimit)}, to its end. */
  public void run(List<TensorView> inputs) {
    run(inputs, RunLimit.NONE);
  }

  /** As {@link #run(List, RunLimit, RunListener)}, with nobody else listening. */
  public void run(List<TensorView> inputs, RunLimit limit) {
    run(inputs, limit, RunListener.NONE);
  }

  /**
   * The same for a graph whose outputs stay in the executor's memory, on a device of the host.
   */
  public void run(List<TensorView> inputs, RunLimit limit, RunListener guest) {
    run(inputs.stream().map(LocatedView::onHost).toList(), List.of(), limit, guest);
  }

  /**
   * Runs once and fills the caller's results, which the last kernels write themselves where the graph was compiled so.
   * When it throws, nothing is under way any more, and the next run may come.
   *
   * @param inputs one for each input of the graph, of the types it was compiled for
   * @param results one for each output of the graph, of its type; none where {@link #output} is asked afterwards, which
   *   a graph with bound results does not allow
   * @param guest hears of this run, besides the executor's own listener
   * @throws IllegalArgumentException when they are more or fewer, or a kernel refuses them
   * @throws StepFailed when a kernel throws anything else
   * @throws RunStopped when the limit says so before a step
   */
  public void run(List<LocatedView> inputs, List<LocatedView> results, RunLimit limit, RunListener guest) {
    int wanted = graph.graph().graph().inputs().size();
    if (inputs.size() != wanted) {
      throw new IllegalArgumentException(
        "inputs and graph differ: inputs=%d wanted=%d".formatted(inputs.size(), wanted));
    }
    int outputs = graph.graph().graph().outputs().size();
    if (results.size() != outputs && (!results.isEmpty() || bound.isBoundToResults())) {
      throw new IllegalArgumentException("results and graph differ: results=%d wanted=%d".formatted(results.size(),
        outputs));
    }
    if (isClosed()) {
      throw new IllegalStateException("executor is closed: graph=" + graph.graph().graph().name());
    }
    bound.bind(inputs, results);
    RunListener hearing = RunListener.both(listener, guest);
    hearing.runBegan();
    try {
      bound.run(results, limit, hearing);
    } catch (RuntimeException | Error e) {
      RunFailure.tellOf(e, hearing::runEnded);
      throw e;
    }
    hearing.runEnded();
  }

  /** Lets go of the last run's inputs; outputs that are inputs can no longer be read. */
  void releaseInputs() {
    bound.unbind();
  }

  /** One output of the last run, in the memory of a device of the host; it lasts until the next run. */
  public TensorView output(int index) {
    return bound.output(index);
  }

  public CompiledGraph graph() {
    return graph;
  }

  /** Whose pools it runs in: itself, or the one it was made by. */
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
    if (owner == this) {
      closed = true;
      bound.close();
      ground.close();
    }
  }
}
