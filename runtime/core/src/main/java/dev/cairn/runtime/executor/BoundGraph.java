package dev.cairn.runtime.executor;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompiledGraph;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A compiled graph bound to an executor's pools and streams: its calls, its runner, and the way of its inputs and
 * outputs. Not thread-safe. Owns the memory that inputs and outputs are staged in, unless made by {@link #within}.
 */
final class BoundGraph implements AutoCloseable {
  private final CompiledGraph graph;
  private final ExecutorGround ground;
  private final Bindings bindings;
  private final BoundSteps steps;
  private final StepRunner runner;
  /** Null where kernels use the caller's memory. */
  private final @Nullable PinnedStaging staging;
  private final boolean boundToResults;
  /** For runs with tensors on the device; made by the first of them. */
  private @Nullable StepRunner deviceRunner;

  private BoundGraph(CompiledGraph graph, Bindings bindings, @Nullable PinnedStaging staging, ExecutorGround ground) {
    this.graph = graph;
    this.ground = ground;
    this.staging = staging;
    this.bindings = bindings;
    this.boundToResults = IntStream.range(0, graph.graph().graph().outputs().size()).anyMatch(bindings::isBound);
    this.steps = new BoundSteps(graph, bindings, staging != null);
    this.runner = newRunner(staging == null ? Staging.NONE : staging.copies(true));
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
    List<TensorView> inputs = staging == null ? List.of() : staging.inputs();
    var bindings = new Bindings(graph, weights, variables, ground.pools(), inputs, ground.streams());
    if (staging != null) {
      int outputs = graph.graph().graph().outputs().size();
      staging.bindOutputs(IntStream.range(0, outputs).mapToObj(bindings::output).toList());
    }
    return new BoundGraph(graph, bindings, staging, ground);
  }

  private StepRunner newRunner(Staging copies) {
    ExecutorStreams streams = ground.streams();
    StepRunner launched = streams.areSeveral()
      ? new StreamedRunner(new SegmentTable(graph.schedule()), steps, streams.all(), copies)
      : new SerialRunner(steps, streams.get(0), copies);
    return ground.target().recorder().isAble()
      ? new ReplayedRunner(launched, ground.target().recorder(), ground.recordings(), streams.get(0), copies)
      : launched;
  }

  /**
   * Gives the next run its tensors.
   *
   * @param results one for each output; none where outputs are read by {@link #output}
   */
  void bind(List<LocatedView> inputs, List<LocatedView> results) {
    PinnedStaging way = staging;
    if (way == null) {
      bindings.bind(inputs, results);
    } else {
      way.bind(inputs, results);
    }
  }

  /** Whether kernels write into results: then each run brings them. */
  boolean isBoundToResults() {
    return boundToResults;
  }

  /** Lets go of the last run's tensors. */
  void unbind() {
    PinnedStaging way = staging;
    if (way == null) {
      bindings.unbind();
    } else {
      way.unbind();
    }
  }

  void run(List<LocatedView> results, RunLimit limit, RunListener listener) {
    PinnedStaging way = staging;
    if (way != null) {
      runnerFor(way).run(limit, listener);
      way.finish(listener);
      return;
    }
    runner.run(limit, listener);
    for (int i = 0; i < results.size(); i++) {
      if (!bindings.isBound(i)) {
        listener.copyBegan(i);
        results.get(i).view().segment().copyFrom(bindings.output(i).segment());
        listener.copyEnded(i);
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

  /** One output of the last run, where a device of the host left it. */
  TensorView output(int index) {
    if (staging != null) {
      throw new IllegalStateException("outputs of a device are read from results: device=" + ground.target().device()
        .id());
    }
    return bindings.output(index);
  }

  @Override
  public void close() {
    PinnedStaging way = staging;
    if (way != null) {
      way.close();
    }
  }
}
