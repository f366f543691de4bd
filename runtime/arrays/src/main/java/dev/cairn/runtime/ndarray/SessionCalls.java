package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.Location;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionRuns;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs of a session over arrays. A run of a planned model is one operation of the arrays' engine: it reads the inputs
 * where they lie, and the last kernels write the results' memory. Thread-safe.
 */
final class SessionCalls implements SessionRuns.Pusher {
  private static final String HOST = "cpu";

  private final SessionRuns runs;
  private final String name;
  /** The signature of the latest run, if types alone decide its plan. */
  private volatile @Nullable Signature latest;
  /** What runs wait for that assign to variables, and a closing session for all of them. */
  private final Map<ArrayRuntime, ArrayOrder> orders = new HashMap<>();

  private SessionCalls(SessionRuns runs) {
    this.runs = runs;
    this.name = "session " + runs.graph().name();
  }

  static SessionCalls of(Session session) {
    return SessionRuns.of(session).pusher(SessionCalls.class, SessionCalls::new);
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

  /** Like {@link ArrayRuntime#run}. */
  Map<String, NDArray> run(ArrayRuntime arrays, Map<String, NDArray> inputs) {
    // Without the session's lock: an operation that the thread runs while it waits for inputs is no run in this one.
    runs.beginPush();
    try {
      // This comes before the wait for inputs: from here on, an operation that closes the session is refused.
      order(arrays);
      Signature signature = signature(inputs);
      if (signature != null) {
        return pushed(arrays, signature, withDraws(arrays, inputs));
      }
    } finally {
      runs.endPush();
    }
    return runNow(arrays, inputs);
  }

  /**
   * Makes the plan, so that this call throws when something is wrong with the inputs.
   *
   * @return null if the types of the results depend on values that are not known yet
   */
  private @Nullable Signature signature(Map<String, NDArray> inputs) {
    Map<String, TensorType> given = new LinkedHashMap<>();
    inputs.forEach((name, array) -> given.put(name, Objects.requireNonNull(array, "input " + name).type()));
    Signature known = latest;
    if (known != null && known.given.equals(given)) {
      return known;
    }
    Set<String> onHost = new HashSet<>();
    Map<String, TensorType> types = runs.types(given);
    Signature made = runs.results(types, name -> {
      onHost.add(name);
      return array(inputs, name).read(SessionRuns::bytes);
    }).map(results -> new Signature(given, types, results, onHost)).orElse(null);
    // A signature by types alone is not enough where values decide shapes. A GPU's arrays must not be read here for
    // values, so each run asks.
    latest = onHost.isEmpty() && runs.device().equals(HOST) ? made : null;
    return made;
  }

  private Map<String, NDArray> withDraws(ArrayRuntime arrays, Map<String, NDArray> inputs) {
    Map<String, NDArray> all = new LinkedHashMap<>(inputs);
    runs.draws(inputs.keySet()).ifPresent(it -> all.put(it.input(), arrays.constant(it.numbers())));
    return all;
  }

  private Map<String, NDArray> pushed(ArrayRuntime arrays, Signature signature, Map<String, NDArray> inputs) {
    List<NDArray> operands = new ArrayList<>();
    List<NDArray> moved = new ArrayList<>();
    try {
      for (Node input : runs.graph().inputs()) {
        NDArray given = array(inputs, input.name());
        NDArray operand = isReadable(given, signature.onHost.contains(input.name())) ? given : given.to(HOST);
        operands.add(operand);
        if (!operand.equals(given)) {
          moved.add(operand);
        }
      }
      return pushed(arrays, signature, operands);
    } finally {
      moved.forEach(NDArray::close);
    }
  }

  /** Whether the model's device reads the array where it lies. */
  private boolean isReadable(NDArray array, boolean isReadOnHost) {
    return array.device().equals(HOST) || (!isReadOnHost && array.device().equals(runs.device()));
  }

  private Map<String, NDArray> pushed(ArrayRuntime arrays, Signature signature, List<NDArray> operands) {
    ArrayOrder order = order(arrays);
    List<TensorType> types = new ArrayList<>(signature.results.values());
    String device = arrays.deviceNames().contains(runs.device()) ? runs.device() : HOST;
    List<Boolean> operandsOnDevice = operands.stream().map(it -> !it.device().equals(HOST)).toList();
    List<Boolean> resultsOnDevice = Collections.nCopies(types.size(), !device.equals(HOST));
    ArrayFunction work = (given, written) -> runs.run(signature.types, located(given, operandsOnDevice),
      located(written, resultsOnDevice));
    List<NDArray> made = runs.graph().assigns().isEmpty()
      ? order.using(device, name, operands, types, work)
      : order.changing(device, name, operands, types, work);
    Map<String, NDArray> named = new LinkedHashMap<>();
    signature.results.keySet().forEach(it -> named.put(it, made.get(named.size())));
    return named;
  }

  private static List<LocatedView> located(List<TensorView> views, List<Boolean> areOnDevice) {
    List<LocatedView> located = new ArrayList<>();
    for (int i = 0; i < views.size(); i++) {
      located.add(new LocatedView(views.get(i), areOnDevice.get(i) ? Location.DEVICE : Location.PAGEABLE));
    }
    return located;
  }

  /** Waits for the inputs, and copies the results. */
  private Map<String, NDArray> runNow(ArrayRuntime arrays, Map<String, NDArray> inputs) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    Map<String, NDArray> outputs = new LinkedHashMap<>();
    try {
      inputs.forEach((name, array) -> tensors.put(name, ArrayTensors.tensor(array)));
      try (Result result = runs.session().run(tensors)) {
        result.names().forEach(name -> outputs.put(name, arrays.copyOf(tensor(result, name).view())));
      }
      return outputs;
    } catch (RuntimeException | Error e) {
      outputs.values().forEach(NDArray::close);
      throw e;
    } finally {
      Result.closeAll(tensors.values());
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

  private synchronized ArrayOrder order(ArrayRuntime arrays) {
    orders.values().removeIf(ArrayOrder::isOver);
    return orders.computeIfAbsent(arrays, it -> it.order(name));
  }

  @Override
  public synchronized void requireOutside() {
    orders.values().removeIf(ArrayOrder::isOver);
    orders.values().forEach(ArrayOrder::requireOutside);
  }

  @Override
  public synchronized void awaitRuns() {
    orders.values().forEach(ArrayOrder::close);
    orders.clear();
  }
}
