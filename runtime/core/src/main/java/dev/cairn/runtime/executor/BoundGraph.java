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

  private BoundGraph(CompiledGraph graph, Bindings bindings, @Nullable PinnedStaging staging, ExecutorGround ground) {
    this.ground = ground;
    this.staging = staging;
    this.bindings = bindings;
    this.runner = newRunner(graph);
  }

  /**
   * With staging of its own, where that is needed.
   *
   * @throws dev.cairn.allocator.OutOfMemory when that does not fit; nothing is held then
   */
  static BoundGraph owning(CompiledGraph graph, List<TensorView> weights, List<TensorView> variables,
    ExecutorGround ground) {
    if (ground.target().isHost()) {
      return of(graph, null, weights, variables, ground);
    }
    var staging = new PinnedStaging(graph, ground.target().transfers(), ground.allocator());
    try {
      return of(graph, staging, weights, variables, ground);
    } catch (RuntimeException | Error e) {
      staging.close();
      throw e;
    }
  }

  /** Another graph on the same ground, with smaller inputs and outputs. */
  BoundGraph within(CompiledGraph smaller, List<TensorView> weights, List<TensorView> variables) {
    PinnedStaging larger = staging;
    return of(smaller, larger == null ? null : larger.within(smaller), weights, variables, ground);
  }

  private static BoundGraph of(CompiledGraph graph, @Nullable PinnedStaging staging, List<TensorView> weights,
    List<TensorView> variables, ExecutorGround ground) {
    var bindings = new Bindings(graph, weights, variables, ground.pools(), staging == null
      ? List.of()
      : staging
        .inputs(),
      ground.streams());
    if (staging != null) {
      int outputs = graph.graph().graph().outputs().size();
      staging.bindResults(IntStream.range(0, outputs).mapToObj(bindings::output).toList());
    }
    return new BoundGraph(graph, bindings, staging, ground);
  }

  private StepRunner newRunner(CompiledGraph graph) {
    ExecutorStreams streams = ground.streams();
    var steps = new BoundSteps(graph, bindings, staging != null);
    Staging way = staging == null ? Staging.NONE : staging;
    StepRunner launched = streams.areSeveral()
      ? new StreamedRunner(new SegmentTable(graph.schedule()), steps, streams.all(), way)
      : new SerialRunner(steps, streams.get(0), way);
    return ground.target().recorder().isAble()
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

  void run(RunLimit limit, RunListener listener) {
    runner.run(limit, listener);
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
