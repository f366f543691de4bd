package dev.cairn.runtime;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.Location;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.ndarray.ArrayFunction;
import dev.cairn.runtime.ndarray.ArrayOrder;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs of a session over arrays. A run of a planned model is one operation of the arrays' engine: it reads the inputs
 * where they lie, and the last kernels write the results' memory. Thread-safe.
 */
final class ArrayRuns {
  private static final String HOST = "cpu";

  private final RandomRuns random;
  private final Graph graph;
  private final LoadedModel model;
  private final String name;
  /** Of the latest run, if types alone decide its plan. */
  private volatile @Nullable Signature latest;
  /** What runs wait for that assign to variables, and a closing session for all of them. */
  private final Map<ArrayRuntime, ArrayOrder> orders = new HashMap<>();
  private final ReentrantLock pushes = new ReentrantLock();
  private final Condition noPush = pushes.newCondition();
  /** How many threads are about to push a run; guarded by {@link #pushes}. */
  private int pushing;
  /** How many threads close the session or have closed it. Pushes are refused meanwhile; guarded by {@link #pushes}. */
  private int closers;

  /** Begins a run on a thread of the engine. */
  @FunctionalInterface
  interface Start {
    void run(Function<ModelRun, Boolean> work);
  }

  ArrayRuns(RandomRuns random, LoadedModel model) {
    this.random = random;
    this.graph = random.graph();
    this.model = model;
    this.name = "session " + graph.name();
  }

  /**
   * What the types of a run's inputs decide.
   *
   * @param given the types of the inputs that users give
   * @param types the types of all inputs
   * @param results the types of the results, in the model's order
   * @param onHost the inputs whose values decide shapes
   */
  private record Signature(Map<String, TensorType> given, Map<String, TensorType> types,
    Map<String, TensorType> results, Set<String> onHost) {}

  /** The results in the model's order; empty if the types of its outputs depend on values that are not known yet. */
  Optional<Map<String, NDArray>> push(ArrayRuntime arrays, Map<String, NDArray> inputs, Start start) {
    // Without the session's lock: an operation that the thread runs while it waits for inputs is no run in this one.
    beginPush();
    try {
      // Before it waits for inputs: an operation that closes the session is refused from here on.
      order(arrays);
      return pushed(arrays, inputs, start);
    } finally {
      endPush();
    }
  }

  private void beginPush() {
    pushes.lock();
    try {
      if (closers > 0) {
        throw new IllegalStateException("already closed: " + name);
      }
      pushing++;
    } finally {
      pushes.unlock();
    }
  }

  private void endPush() {
    pushes.lock();
    try {
      pushing--;
      noPush.signalAll();
    } finally {
      pushes.unlock();
    }
  }

  private Optional<Map<String, NDArray>> pushed(ArrayRuntime arrays, Map<String, NDArray> inputs, Start start) {
    Map<String, TensorType> given = new LinkedHashMap<>();
    inputs.forEach((name, array) -> given.put(name, Objects.requireNonNull(array, "input " + name).type()));
    Signature known = latest;
    Optional<Signature> signature = known != null && known.given.equals(given)
      ? Optional.of(known)
      : signature(inputs, given);
    return signature.map(it -> pushed(arrays, it, random.drawn(arrays, inputs), start));
  }

  /** Makes the plan, so that the caller hears what is wrong with the inputs. */
  private Optional<Signature> signature(Map<String, NDArray> inputs, Map<String, TensorType> given) {
    Set<String> onHost = new HashSet<>();
    Map<String, TensorType> types = InputBinding.ofTypes(graph, random.types(given));
    PlanCache.Entry plan = model.plans().take(types, name -> {
      onHost.add(name);
      return array(inputs, name).read(PlanKey::bytes);
    }, RunLimit.NONE);
    try {
      Optional<Signature> made = plan.executor().compiled().map(it -> new Signature(given, types, it.outputTypes(),
        onHost));
      // Where values decide shapes, types alone do not. A GPU's arrays must not be read for them, so each run asks.
      latest = onHost.isEmpty() && device().equals(HOST) ? made.orElse(null) : null;
      return made;
    } finally {
      model.plans().giveBack(plan);
    }
  }

  private Map<String, NDArray> pushed(ArrayRuntime arrays, Signature signature, Map<String, NDArray> inputs,
    Start start) {
    List<NDArray> operands = new ArrayList<>();
    List<NDArray> moved = new ArrayList<>();
    try {
      for (Node input : graph.inputs()) {
        NDArray given = array(inputs, input.name());
        NDArray operand = isReadable(given, signature.onHost.contains(input.name())) ? given : given.to(HOST);
        operands.add(operand);
        if (!operand.equals(given)) {
          moved.add(operand);
        }
      }
      return pushed(arrays, operands, signature, start);
    } finally {
      moved.forEach(NDArray::close);
    }
  }

  /** Whether the model's device reads the array where it lies. */
  private boolean isReadable(NDArray array, boolean isReadOnHost) {
    return array.device().equals(HOST) || (!isReadOnHost && array.device().equals(device()));
  }

  private String device() {
    return model.backend().target().device().id().toString();
  }

  private static List<LocatedView> located(List<TensorView> views, List<Boolean> areOnDevice) {
    List<LocatedView> located = new ArrayList<>();
    for (int i = 0; i < views.size(); i++) {
      located.add(new LocatedView(views.get(i), areOnDevice.get(i) ? Location.DEVICE : Location.PAGEABLE));
    }
    return located;
  }

  /** Waits for the inputs, and copies the results. */
  static Map<String, NDArray> runNow(ArrayRuntime arrays, Map<String, NDArray> inputs,
    Function<Map<String, Tensor>, Result> run) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    Map<String, NDArray> outputs = new LinkedHashMap<>();
    try {
      inputs.forEach((name, array) -> tensors.put(name, ArrayTensors.tensor(array)));
      try (Result result = run.apply(tensors)) {
        result.names().forEach(name -> outputs.put(name, arrays.copyOf(tensor(result, name).view())));
      }
      return outputs;
    } catch (RuntimeException | Error e) {
      outputs.values().forEach(NDArray::close);
      throw e;
    } finally {
      Tensor.closeAll(tensors.values());
    }
  }

  private static Tensor tensor(Result result, String name) {
    if (result.value(name) instanceof Tensor tensor && tensor.dtype() != DType.STRING) {
      return tensor;
    }
    throw new IllegalArgumentException("an output is no array, so run the session with tensors: output=%s value=%s"
      .formatted(name, result.value(name)));
  }

  private static NDArray array(Map<String, NDArray> inputs, String name) {
    return Objects.requireNonNull(inputs.get(name), name);
  }

  private Map<String, NDArray> pushed(ArrayRuntime arrays, List<NDArray> operands, Signature signature,
    Start start) {
    ArrayOrder order = order(arrays);
    List<TensorType> types = new ArrayList<>(signature.results.values());
    String device = arrays.deviceNames().contains(device()) ? device() : HOST;
    List<Boolean> operandsOnDevice = operands.stream().map(it -> !it.device().equals(HOST)).toList();
    List<Boolean> resultsOnDevice = Collections.nCopies(types.size(), !device.equals(HOST));
    ArrayFunction work = (given, written) -> start.run(it -> it.runInto(signature.types, located(given,
      operandsOnDevice), located(written, resultsOnDevice)));
    List<NDArray> made = graph.assigns().isEmpty()
      ? order.using(device, name, operands, types, work)
      : order.changing(device, name, operands, types, work);
    Map<String, NDArray> named = new LinkedHashMap<>();
    signature.results.keySet().forEach(it -> named.put(it, made.get(named.size())));
    return named;
  }

  private synchronized ArrayOrder order(ArrayRuntime arrays) {
    orders.values().removeIf(ArrayOrder::isOver);
    return orders.computeIfAbsent(arrays, it -> it.order(name));
  }

  /**
   * Refuses new runs, and waits for pushed ones. Call it without the session's lock, which those runs need.
   *
   * @throws IllegalStateException inside an operation or access, which must not wait; nothing is refused then
   */
  void beginClose() {
    requireOutside();
    pushes.lock();
    try {
      closers++;
      while (pushing > 0) {
        noPush.awaitUninterruptibly();
      }
    } finally {
      pushes.unlock();
    }
    boolean done = false;
    try {
      awaitRuns();
      done = true;
    } finally {
      if (!done) {
        cancelClose();
      }
    }
  }

  /** Takes runs again after a {@link #beginClose} that closed nothing, unless another thread closes the session. */
  void cancelClose() {
    pushes.lock();
    try {
      closers--;
    } finally {
      pushes.unlock();
    }
  }

  private synchronized void requireOutside() {
    orders.values().removeIf(ArrayOrder::isOver);
    orders.values().forEach(ArrayOrder::requireOutside);
  }

  private synchronized void awaitRuns() {
    orders.values().forEach(ArrayOrder::close);
    orders.clear();
  }
}
