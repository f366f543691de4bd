package dev.cairn.runtime;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.DynamicExecutor;
import dev.cairn.runtime.executor.DynamicRun;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.TraceFacts;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedCopy;
import dev.cairn.runtime.trace.TracedGraph;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs a graph that cannot be planned, since its shapes depend on values, node by node on the host. A run that finds no
 * memory gives all of its own back, waits for others to end, and begins anew. Thread-safe.
 */
final class DynamicGraphExecutor implements GraphExecutor {
  private final Graph graph;
  private final String reason;
  private final DynamicExecutor executor;
  private final SessionMemory memory;
  private final TracedGraph traced;

  /**
   * @param reason why there is no plan, for people
   * @param executor closed with this one
   * @param memory of results, where runs wait for it
   * @param device what runs the graph, for observers
   */
  DynamicGraphExecutor(Graph graph, String reason, DynamicExecutor executor, SessionMemory memory, String device) {
    this.graph = graph;
    this.reason = reason;
    this.executor = executor;
    this.memory = memory;
    this.traced = TraceFacts.unplanned(graph, executor.steps(), device);
  }

  @Override
  public void runInto(List<LocatedView> inputs, List<LocatedView> results, RunLimit limit, RunObserver observer) {
    List<Tensor> made = List.copyOf(run(inputs, RunOptions.DEFAULT, limit, observer).values());
    try {
      for (int i = 0; i < made.size(); i++) {
        TensorView result = results.get(i).view();
        if (!made.get(i).type().equals(result.type())) {
          throw new IllegalArgumentException("an output has another type for these values: output=%d wanted=%s was=%s"
            .formatted(i, result.type(), made.get(i).type()));
        }
        result.segment().copyFrom(made.get(i).segment());
      }
    } finally {
      Tensor.closeAll(made);
    }
  }

  @Override
  public Map<String, Tensor> run(List<LocatedView> inputs, RunOptions how, RunLimit limit, RunObserver observer) {
    List<TensorView> views = inputs.stream().map(LocatedView::view).toList();
    Map<String, Tensor> results = unplanned(() -> memory.begin(() -> {
      try (DynamicRun run = executor.run(views, limit, observer)) {
        return results(run, observer);
      }
    }, limit));
    memory.end();
    return results;
  }

  /** Does something that needs memory for runs without a plan. A refusal says that the least limit is not known. */
  static <T> T unplanned(Supplier<T> work) {
    try {
      return work.get();
    } catch (OutOfMemory e) {
      throw e.with("the model has no plan, so the least limit is not known: later requests may need more");
    }
  }

  /** The outputs, with the memory that the run gave them; copies of those that are not the run's own. */
  private Map<String, Tensor> results(DynamicRun run, RunObserver observer) {
    Map<String, Tensor> results = new LinkedHashMap<>();
    try {
      for (int i = 0; i < graph.outputs().size(); i++) {
        results.put(graph.outputs().get(i).name(), result(run, i, observer));
      }
      return results;
    } catch (RuntimeException | Error e) {
      Tensor.closeAll(results.values());
      throw e;
    }
  }

  private Tensor result(DynamicRun run, int index, RunObserver observer) {
    TensorView from = run.output(index);
    String name = graph.outputs().get(index).name();
    observer.copyFound(index, new TracedCopy(name, from.type().toString(), from.type().bytes()));
    Optional<Block> own = run.takeOutput(index);
    if (own.isPresent()) {
      return memory.owning(from.type(), own.get());
    }
    Tensor copy = memory.newResult(SessionMemory.Output.of(name, from.type()), false);
    try {
      observer.copyBegan(index);
      copy.memory().located().view().segment().copyFrom(from.segment());
      observer.copyEnded(index);
      return copy;
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    }
  }

  @Override
  public TracedGraph traced() {
    return traced;
  }

  @Override
  public Optional<CompiledGraph> compiled() {
    return Optional.empty();
  }

  @Override
  public Optional<String> unplannedReason() {
    return Optional.of(reason);
  }

  @Override
  public void prepare() {}

  @Override
  public void closeIdle() {}

  @Override
  public void releaseWeights() {}

  @Override
  public void close() {
    executor.close();
  }
}
