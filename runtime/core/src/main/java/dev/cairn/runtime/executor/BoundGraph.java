package dev.cairn.runtime.executor;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A compiled graph bound to an executor's pools and streams: its calls, its runner, and the way of its inputs and
 * outputs. Not thread-safe. Owns the memory that inputs and outputs are staged in, unless made by {@link #within}.
 */
final class BoundGraph implements AutoCloseable {
  private final ExecutorGround ground;
  private final Bindings bindings;
  private final StepRunner runner;
  /** Null where kernels use the caller's memory. */
  private final @Nullable PinnedStaging staging;

  private BoundGraph(CompiledGraph graph, Bindings bindings, @Nullable PinnedStaging staging, ExecutorGround ground,
    RunListener listener) {
    this.ground = ground;
    this.staging = staging;
    this.bindings = bindings;
    this.runner = newRunner(graph, listener);
  }

  /**
   * With staging of its own, where that is needed.
   *
   * @throws dev.cairn.allocator.OutOfMemory when that does not fit; nothing is held then
   */
  static BoundGraph owning(CompiledGraph graph, List<TensorView> weights, List<TensorView> variables,
    ExecutorGround ground, RunListener listener) {
    if (ground.target().isHost()) {
      return of(graph, null, weights, variables, new Hearing(ground, listener));
    }
    var staging = new PinnedStaging(graph, ground.target().transfers(), ground.allocator());
    try {
      return of(graph, staging, weights, variables, new Hearing(ground, listener));
    } catch (RuntimeException | Error e) {
      staging.close();
      throw e;
    }
  }

  private record Hearing(ExecutorGround ground, RunListener listener) {}

  /** Another graph on the same ground, with smaller inputs and outputs. */
  BoundGraph within(CompiledGraph smaller, List<TensorView> weights, List<TensorView> variables,
    RunListener listener) {
    PinnedStaging larger = staging;
    return of(smaller, larger == null ? null : larger.within(smaller), weights, variables, new Hearing(ground,
      listener));
  }

  private static BoundGraph of(CompiledGraph graph, @Nullable PinnedStaging staging, List<TensorView> weights,
    List<TensorView> variables, Hearing on) {
    var bindings = new Bindings(graph, weights, variables, on.ground.pools(), staging == null ? List.of() : staging
      .inputs(), on.ground.streams());
    if (staging != null) {
      int outputs = graph.graph().graph().outputs().size();
      staging.bindResults(IntStream.range(0, outputs).mapToObj(bindings::output).toList());
    }
    return new BoundGraph(graph, bindings, staging, on.ground, on.listener);
  }

  private StepRunner newRunner(CompiledGraph graph, RunListener listener) {
    ExecutorStreams streams = ground.streams();
    var steps = new BoundSteps(graph, bindings, staging != null);
    Staging way = staging == null ? Staging.NONE : staging;
    StepRunner launched = streams.areSeveral()
      ? new StreamedRunner(new SegmentTable(graph.schedule()), steps, streams.all(), way, listener)
      : new SerialRunner(steps, streams.get(0), way, listener);
    // A listener hears of each step, and a recording has none.
    boolean recordable = ground.target().recorder().isAble() && listener.equals(RunListener.NONE);
    return recordable
      ? new ReplayedRunner(launched, ground.target().recorder(), ground.recordings(), streams.get(0))
      : launched;
  }

  /** Gives the next run its inputs. */
  void bind(List<TensorView> inputs) {
    PinnedStaging way = staging;
    if (way == null) {
      bindings.bind(inputs);
    } else {
      way.fill(inputs);
    }
  }

  /** Lets go of the last run's inputs. */
  void unbind() {
    if (staging == null) {
      bindings.unbind();
    }
  }

  void run(RunLimit limit) {
    runner.run(limit);
  }

  /** One output of the last run, for the host. */
  TensorView output(int index) {
    PinnedStaging way = staging;
    return way == null ? bindings.output(index) : way.output(index);
  }

  @Override
  public void close() {
    PinnedStaging way = staging;
    if (way != null) {
      way.close();
    }
  }
}
