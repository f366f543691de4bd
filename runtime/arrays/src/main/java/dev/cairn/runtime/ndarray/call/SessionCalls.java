package dev.cairn.runtime.ndarray.call;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.Location;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.storage.Hold;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionRuns;
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
public final class SessionCalls implements SessionRuns.Pusher {
  private static final String HOST = "cpu";

  private final SessionRuns runs;
  private final String name;
  /** The signature of the latest run, if types alone decide its plan. */
  private volatile @Nullable Signature latest;
  /** What runs wait for that assign to variables, and a closing session for all of them. */
  private final Map<Invoker, CallOrder> orders = new HashMap<>();

  private SessionCalls(SessionRuns runs) {
    this.runs = runs;
    this.name = "session " + runs.graph().name();
  }

  public static SessionCalls of(Session session) {
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

  /**
   * Pushes a run. Waits for inputs where shapes depend on their values.
   *
   * @return the outputs; null if the types of some are not known before a run
   */
  public @Nullable Map<String, Hold> push(Invoker arrays, Map<String, Hold> inputs) {
    // Without the session's lock: an operation that the thread runs while it waits for inputs is no run in this one.
    runs.beginPush();
    try {
      // This comes before the wait for inputs: from here on, an operation that closes the session is refused.
      order(arrays);
      Signature signature = signature(arrays, inputs);
      if (signature != null) {
        return pushed(arrays, signature, withDraws(arrays, inputs));
      }
      return null;
    } finally {
      runs.endPush();
    }
  }

  /**
   * Makes the plan, so that this call throws when something is wrong with the inputs.
   *
   * @return null if the types of the results depend on values that are not known yet
   */
  private @Nullable Signature signature(Invoker arrays, Map<String, Hold> inputs) {
    Map<String, TensorType> given = new LinkedHashMap<>();
    inputs.forEach((name, array) -> given.put(name, array.type()));
    Signature known = latest;
    if (known != null && known.given.equals(given)) {
      return known;
    }
    Set<String> onHost = new HashSet<>();
    Map<String, TensorType> types = runs.types(given);
    Signature made = runs.results(types, name -> {
      onHost.add(name);
      return arrays.access().read(array(inputs, name), SessionRuns::bytes);
    }).map(results -> new Signature(given, types, results, onHost)).orElse(null);
    // A signature by types alone is not enough where values decide shapes. A GPU's arrays must not be read here for
    // values, so each run asks.
    latest = onHost.isEmpty() && runs.device().equals(HOST) ? made : null;
    return made;
  }

  private Map<String, Hold> withDraws(Invoker arrays, Map<String, Hold> inputs) {
    Map<String, Hold> all = new LinkedHashMap<>(inputs);
    runs.draws(inputs.keySet()).ifPresent(it -> all.put(it.input(), arrays.live().constant(it.numbers())));
    return all;
  }

  private Map<String, Hold> pushed(Invoker arrays, Signature signature, Map<String, Hold> inputs) {
    List<Hold> operands = new ArrayList<>();
    List<Hold> moved = new ArrayList<>();
    try {
      for (Node input : runs.graph().inputs()) {
        Hold given = array(inputs, input.name());
        if (isReadable(given, signature.onHost.contains(input.name()))) {
          operands.add(given);
        } else {
          moved.add(arrays.copies().copied(given, arrays.devices().host()));
          operands.add(moved.getLast());
        }
      }
      return pushed(arrays, signature, operands);
    } finally {
      moved.forEach(Hold::close);
    }
  }

  /** Whether the model's device reads the array where it lies. */
  private boolean isReadable(Hold array, boolean isReadOnHost) {
    ArrayDevice device = array.storage().device();
    return device.isHost() || (!isReadOnHost && device.name().equals(runs.device()));
  }

  private Map<String, Hold> pushed(Invoker arrays, Signature signature, List<Hold> operands) {
    List<TensorType> types = new ArrayList<>(signature.results.values());
    ArrayDevice device = arrays.devices().names().contains(runs.device())
      ? arrays.devices().named(runs.device())
      : arrays.devices().host();
    List<Boolean> operandsOnDevice = operands.stream().map(it -> !it.storage().device().isHost()).toList();
    List<Boolean> resultsOnDevice = Collections.nCopies(types.size(), !device.isHost());
    Hold[] made = new FunctionCalls(arrays).inPlace(device, new FunctionCalls.Call(name, operands,
      types, (given, written) -> runs.run(signature.types, located(given, operandsOnDevice),
        located(written, resultsOnDevice)),
      order(arrays), !runs.graph().assigns().isEmpty()));
    Map<String, Hold> named = new LinkedHashMap<>();
    signature.results.keySet().forEach(it -> named.put(it, made[named.size()]));
    return named;
  }

  private static List<LocatedView> located(List<TensorView> views, List<Boolean> areOnDevice) {
    List<LocatedView> located = new ArrayList<>();
    for (int i = 0; i < views.size(); i++) {
      located.add(new LocatedView(views.get(i), areOnDevice.get(i) ? Location.DEVICE : Location.PAGEABLE));
    }
    return located;
  }

  private static Hold array(Map<String, Hold> inputs, String name) {
    Hold array = Objects.requireNonNull(inputs.get(name), name);
    array.requireOpen("run");
    return array;
  }

  private synchronized CallOrder order(Invoker arrays) {
    orders.values().removeIf(CallOrder::isOver);
    return orders.computeIfAbsent(arrays, it -> new CallOrder(it.live().engine(), name));
  }

  @Override
  public synchronized void requireOutside() {
    orders.values().removeIf(CallOrder::isOver);
    orders.values().forEach(CallOrder::requireOutside);
  }

  @Override
  public synchronized void awaitRuns() {
    orders.values().forEach(CallOrder::close);
    orders.clear();
  }
}
