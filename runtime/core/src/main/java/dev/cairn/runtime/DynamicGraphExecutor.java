package dev.cairn.runtime;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunValue;
import dev.cairn.runtime.executor.TraceFacts;
import dev.cairn.runtime.executor.ValueExecutor;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedCopy;
import dev.cairn.runtime.trace.TracedGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs a graph that cannot be planned whole, since its shapes depend on values, in parts on the host. A run that finds
 * no memory gives all of its own back, waits for others to end, and begins anew. Thread-safe.
 */
final class DynamicGraphExecutor implements GraphExecutor {
  private final Graph graph;
  private final String reason;
  private final PartExecutor executor;
  private final SessionMemory memory;
  private final TracedGraph traced;

  /**
   * @param executor closed with this one
   * @param reason why there is no plan, for people
   * @param memory of results, where runs wait for it
   * @param device what runs the graph, for observers
   */
  DynamicGraphExecutor(PartExecutor executor, String reason, SessionMemory memory, String device) {
    this.graph = executor.graph();
    this.reason = reason;
    this.executor = executor;
    this.memory = memory;
    this.traced = TraceFacts.unplanned(graph, device);
  }

  @Override
  public void runInto(List<LocatedView> inputs, List<LocatedView> results, RunLimit limit, RunObserver observer) {
    List<Value> made = List.copyOf(run(inputs, RunOptions.DEFAULT, limit, observer).values());
    try {
      for (int i = 0; i < made.size(); i++) {
        TensorView result = results.get(i).view();
        if (!(made.get(i) instanceof Tensor tensor) || !tensor.type().equals(result.type())) {
          throw new IllegalArgumentException("an output has another type for these values: output=%d wanted=%s was=%s"
            .formatted(i, result.type(), made.get(i)));
        }
        result.segment().copyFrom(tensor.segment());
      }
    } finally {
      Result.closeAll(made);
    }
  }

  @Override
  public Map<String, Value> run(List<LocatedView> inputs, RunOptions how, RunLimit limit, RunObserver observer) {
    return runValues(inputs.stream().map(it -> RunValue.of(it.view())).toList(), limit, observer);
  }

  /** As {@link #run}, with inputs of any kind. */
  Map<String, Value> runValues(List<RunValue> inputs, RunLimit limit, RunObserver observer) {
    Map<String, Value> results = unplanned(() -> memory.begin(() -> {
      try (ValueExecutor.Run run = executor.runValues(inputs, limit, observer)) {
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
  private Map<String, Value> results(ValueExecutor.Run run, RunObserver observer) {
    Map<String, Value> results = new LinkedHashMap<>();
    try {
      for (int i = 0; i < graph.outputs().size(); i++) {
        String name = graph.outputs().get(i).name();
        results.put(name, run.value(i) instanceof RunValue.OfTensor tensor
          ? result(run, i, tensor.view(), observer)
          : container(name, run.value(i)));
      }
      return results;
    } catch (RuntimeException | Error e) {
      Result.closeAll(results.values());
      throw e;
    }
  }

  private Tensor result(ValueExecutor.Run run, int index, TensorView from, RunObserver observer) {
    String name = graph.outputs().get(index).name();
    observer.copyFound(index, new TracedCopy(name, from.type().toString(), from.type().bytes()));
    Optional<Block> own = run.takeOutput(index);
    if (own.isPresent()) {
      return memory.owning(from.type(), own.get());
    }
    observer.copyBegan(index);
    Tensor copy = copied(name, from);
    observer.copyEnded(index);
    return copy;
  }

  /** Strings lie on the heap and never change. */
  private Tensor copied(String name, TensorView from) {
    if (from.dtype() == DType.STRING) {
      return new Tensor(TensorMemory.kept(from));
    }
    Tensor copy = memory.newResult(SessionMemory.Output.of(name, from.type()), false);
    try {
      copy.memory().located().view().segment().copyFrom(from.segment());
      return copy;
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    }
  }

  /** A container with copies of its tensors, which the run still holds. */
  private Value container(String name, RunValue value) {
    return switch (value) {
      case RunValue.OfTensor tensor -> copied(name, tensor.view());
      case RunValue.OfOptional optional -> new OptionalValue(Optional.ofNullable(optional.value()).map(it -> container(
        name, it)));
      case RunValue.OfSequence sequence -> {
        List<Tensor> tensors = new ArrayList<>();
        try {
          sequence.elements().forEach(it -> tensors.add(copied(name, it.view())));
          yield new TensorSequence(sequence.dtype(), tensors);
        } catch (RuntimeException | Error e) {
          Tensor.closeAll(tensors);
          throw e;
        }
      }
    };
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
  public List<CompiledGraph> parts() {
    return executor.latest();
  }

  @Override
  public Optional<String> unplannedReason() {
    return Optional.of(reason);
  }

  @Override
  public void prepare() {}

  @Override
  public void closeIdle() {
    executor.closeIdle();
  }

  @Override
  public void releaseWeights() {
    executor.releaseWeights();
  }

  @Override
  public void close() {
    executor.close();
  }
}
