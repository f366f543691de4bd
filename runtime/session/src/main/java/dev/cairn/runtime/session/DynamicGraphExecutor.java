package dev.cairn.runtime.session;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunValue;
import dev.cairn.runtime.executor.TraceFacts;
import dev.cairn.runtime.executor.ValueExecutor;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.VariablesOutside;
import dev.cairn.runtime.parts.PartsExecutor;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedCopy;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.value.OptionalValue;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMap;
import dev.cairn.runtime.value.TensorMemory;
import dev.cairn.runtime.value.TensorSequence;
import dev.cairn.runtime.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a graph that cannot be planned whole, since its shapes depend on values, in parts. Values between parts lie in
 * the host's memory, also where a GPU runs the parts. A run that finds no memory gives all of its own back, waits for
 * others to end, and begins anew; so it assigns to variables when it has all its results. Thread-safe.
 */
final class DynamicGraphExecutor implements GraphExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(DynamicGraphExecutor.class);

  private final Graph graph;
  private final String reason;
  private final PartsExecutor executor;
  private final SessionMemory memory;
  private final VariablesOutside outside;
  private final SessionVariables variables;
  private final RunTarget target;
  private final TracedGraph traced;

  /**
   * @param executor of the graph with its variables outside; closed with this one
   * @param reason why there is no plan, for people
   * @param memory of results, where runs wait for it
   * @param target what runs the parts that have plans
   */
  DynamicGraphExecutor(PartsExecutor executor, VariablesOutside outside, SessionVariables variables, String reason,
    SessionMemory memory, RunTarget target) {
    this.graph = executor.graph();
    this.outside = outside;
    this.variables = variables;
    this.reason = reason;
    this.executor = executor;
    this.memory = memory;
    this.target = target;
    this.traced = TraceFacts.unplanned(graph, target.device().description());
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
    return runValues(inputs.stream().map(it -> RunValue.of(it.view())).toList(), how, limit, observer);
  }

  /** Like {@link #run}, with inputs of any kind, which the host reads. */
  Map<String, Value> runValues(List<RunValue> inputs, RunOptions how, RunLimit limit, RunObserver observer) {
    Map<String, Value> results;
    try {
      results = begun(inputs, how, limit, observer);
    } catch (OutOfMemory e) {
      if (!executor.giveUpLargest()) {
        throw unplanned(e);
      }
      LOG.info("plans parts for the shapes of each run, since the largest take too much memory: graph={}", graph
        .name());
      try {
        results = begun(inputs, how, limit, observer);
      } catch (OutOfMemory again) {
        throw unplanned(again);
      }
    }
    memory.end();
    return results;
  }

  private Map<String, Value> begun(List<RunValue> inputs, RunOptions how, RunLimit limit, RunObserver observer) {
    return memory.begin(() -> {
      List<RunValue> all = new ArrayList<>(inputs);
      outside.variables().forEach(it -> all.add(RunValue.of(variables.onHost(it.name()))));
      try (ValueExecutor.Run run = executor.runValues(all, limit, observer)) {
        return results(run, how, observer);
      }
    }, limit);
  }

  private static OutOfMemory unplanned(OutOfMemory refusal) {
    return refusal.with("the model has no plan, so the least limit is not known: later requests may need more");
  }

  /**
   * The outputs, with the memory that the run gave them; copies of values that are not the run's own. Then the
   * variables have their new values.
   */
  private Map<String, Value> results(ValueExecutor.Run run, RunOptions how, RunObserver observer) {
    Map<String, Value> results = new LinkedHashMap<>();
    try {
      int count = graph.outputs().size() - outside.assigned().size();
      for (int i = 0; i < count; i++) {
        String name = graph.outputs().get(i).name();
        results.put(name, run.value(i) instanceof RunValue.OfTensor tensor
          ? result(run, i, tensor.view(), how.staysOnDevice(name), observer)
          : container(name, run.value(i)));
      }
      if (!outside.assigned().isEmpty()) {
        assign(run, count, observer);
      }
      return results;
    } catch (RuntimeException | Error e) {
      Result.closeAll(results.values());
      throw e;
    }
  }

  /** @param first the index of the first output that is a variable's new value */
  private void assign(ValueExecutor.Run run, int first, RunObserver observer) {
    Map<String, TensorView> values = new LinkedHashMap<>();
    for (int i = 0; i < outside.assigned().size(); i++) {
      String name = outside.assigned().get(i).name();
      if (!(run.value(first + i) instanceof RunValue.OfTensor(TensorView view, var block))) {
        throw new InvalidGraph(name, "a variable is a tensor, and cannot become a sequence or an optional");
      }
      // A value that is not the run's own may belong to another variable, which is also overwritten.
      values.put(name, block == null ? HeapTensor.copyOf(view) : view);
      observer.copyFound(first + i, new TracedCopy(name, view.type().toString(), view.type().bytes()));
    }
    observer.copyBegan(first);
    variables.assign(values);
    observer.copyEnded(first);
  }

  private Tensor result(ValueExecutor.Run run, int index, TensorView from, boolean staysOnDevice,
    RunObserver observer) {
    String name = graph.outputs().get(index).name();
    observer.copyFound(index, new TracedCopy(name, from.type().toString(), from.type().bytes()));
    Optional<Block> own = target.isHost() ? run.takeOutput(index) : Optional.empty();
    if (own.isPresent()) {
      return memory.owning(from.type(), own.get());
    }
    observer.copyBegan(index);
    Tensor copy = copied(name, from, staysOnDevice);
    observer.copyEnded(index);
    return copy;
  }

  /** Strings lie on the heap and never change. */
  private Tensor copied(String name, TensorView from, boolean staysOnDevice) {
    if (from.dtype() == DType.STRING) {
      return TensorMemory.kept(from).tensor();
    }
    Tensor copy = memory.newResult(SessionMemory.Output.of(name, from.type()), staysOnDevice);
    try {
      TensorMemory bytes = TensorMemory.of(copy);
      TensorMemory.holdAll(List.of(bytes));
      try {
        LocatedView to = bytes.located();
        if (to.isOnDevice()) {
          target.transfers().upload(to.view().segment(), from.segment());
        } else {
          to.view().segment().copyFrom(from.segment());
        }
      } finally {
        bytes.endUse();
      }
      return copy;
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    }
  }

  /** A container with copies of its tensors, which the run still holds. */
  private Value container(String name, RunValue value) {
    return switch (value) {
      case RunValue.OfTensor tensor -> copied(name, tensor.view(), false);
      case RunValue.OfOptional optional -> new OptionalValue(Optional.ofNullable(optional.value()).map(it -> container(
        name, it)));
      case RunValue.OfSequence sequence -> {
        List<Tensor> tensors = new ArrayList<>();
        try {
          sequence.elements().forEach(it -> tensors.add(copied(name, it.view(), false)));
          yield new TensorSequence(sequence.dtype(), tensors);
        } catch (RuntimeException | Error e) {
          Result.closeAll(tensors);
          throw e;
        }
      }
      case RunValue.OfMap map -> {
        Tensor keys = copied(name, map.keys().view(), false);
        try {
          Tensor values = copied(name, map.values().view(), false);
          yield map.isSequence() ? new TensorMap.Sequence(keys, values) : new TensorMap(keys, values);
        } catch (RuntimeException | Error e) {
          keys.close();
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
