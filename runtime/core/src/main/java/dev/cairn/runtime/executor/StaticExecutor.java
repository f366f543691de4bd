package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs one compiled graph, again and again, in one set of pools and on one set of streams. All addresses are known when
 * it is made: each step's kernel call is bound then, and only the model's inputs are bound anew for a run, which makes
 * no garbage of its own. Not thread-safe: one run at a time. Owns pools and streams, unless made by {@link #within};
 * closing frees them.
 */
public final class StaticExecutor implements AutoCloseable {
  private final CompiledGraph graph;
  private final Allocator allocator;
  private final List<Block> pools;
  private final ExecutorStreams streams;
  private final StaticExecutor owner;
  private final RunListener listener;
  private final Bindings bindings;
  private final StepRunner runner;
  private volatile boolean closed;

  /** For a graph without variables, with nobody listening. */
  public StaticExecutor(CompiledGraph graph, List<TensorView> weights, Allocator allocator, Device device) {
    this(graph, weights, List.of(), allocator, device, RunListener.NONE);
  }

  /**
   * @param weights the graph's constants, in the order of its storage
   * @param variables the memory of the graph's variables, in the order of its storage; only one executor over it may
   *   run at a time
   * @param device of the graph's kernels; lasts longer
   * @throws dev.cairn.allocator.OutOfMemory when the pools do not fit; nothing is held then
   */
  public StaticExecutor(CompiledGraph graph, List<TensorView> weights, List<TensorView> variables,
    Allocator allocator, Device device, RunListener listener) {
    this.graph = graph;
    this.allocator = allocator;
    this.owner = this;
    this.listener = listener;
    this.pools = allocatePools();
    try {
      this.streams = new ExecutorStreams(device, graph.schedule());
    } catch (RuntimeException | Error e) {
      pools.forEach(allocator::free);
      throw e;
    }
    try {
      this.bindings = new Bindings(graph, weights, variables, pools, streams);
      this.runner = newRunner();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private StaticExecutor(CompiledGraph graph, StaticExecutor owner, Bindings bindings, RunListener listener) {
    this.graph = graph;
    this.allocator = owner.allocator;
    this.owner = owner;
    this.listener = listener;
    this.pools = owner.pools;
    this.streams = owner.streams;
    this.bindings = bindings;
    this.runner = newRunner();
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
    if (smaller.schedule().streams() > streams.all().size()) {
      throw new IllegalArgumentException("planned for more streams: streams=%d wanted=%d".formatted(streams.all()
        .size(), smaller.schedule().streams()));
    }
    return new StaticExecutor(smaller, this, new Bindings(smaller, weights, variables, pools, streams),
      smallerListener);
  }

  private List<Block> allocatePools() {
    var taken = new ArrayList<Block>();
    try {
      for (int i = 0; i < graph.plan().pools().size(); i++) {
        taken.add(allocator.allocate(graph.plan().pools().get(i).bytes(), "plan/pool" + i));
      }
    } catch (RuntimeException | Error e) {
      taken.forEach(allocator::free);
      throw e;
    }
    return List.copyOf(taken);
  }

  private StepRunner newRunner() {
    var steps = new BoundSteps(graph, bindings);
    return streams.areSeveral()
      ? new StreamedRunner(new SegmentTable(graph.schedule()), steps, streams.all())
      : new SerialRunner(steps, streams.get(0));
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
   * Runs once and returns when all outputs are there. When it throws, nothing is under way any more, and the next run
   * may come; what a kernel threw is thrown as it is.
   *
   * @param inputs one for each input of the graph, of the types it was compiled for
   * @param guest hears of this run, besides the executor's own listener
   * @throws IllegalArgumentException when they are more or fewer
   * @throws RunStopped when the limit says so before a step
   */
  public void run(List<TensorView> inputs, RunLimit limit, RunListener guest) {
    int wanted = graph.graph().graph().inputs().size();
    if (inputs.size() != wanted) {
      throw new IllegalArgumentException(
        "inputs and graph differ: inputs=%d wanted=%d".formatted(inputs.size(), wanted));
    }
    if (isClosed()) {
      throw new IllegalStateException("executor is closed: graph=" + graph.graph().graph().name());
    }
    bindings.bind(inputs);
    RunListener hearing = RunListener.both(listener, guest);
    hearing.runBegan();
    try {
      runner.run(limit, hearing);
    } finally {
      hearing.runEnded();
    }
  }

  /** Lets go of the last run's inputs; outputs that are inputs can no longer be read. */
  void releaseInputs() {
    bindings.unbind();
  }

  /** One output of the last run, in the executor's own memory; it lasts until the next run. */
  public TensorView output(int index) {
    return bindings.output(index);
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
      streams.close();
      pools.forEach(allocator::free);
    }
  }
}
