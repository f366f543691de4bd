package dev.cairn.runtime.cached;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.autograd.BackwardOptions;
import dev.cairn.runtime.autograd.RecordingScope;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.symbol.SymbolTypes;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A symbol with an array for each of its variables (S-7). Forward and backward are planned graphs. Not thread-safe.
 *
 * <pre>{@code
 * SymbolTypes types = net.infer(Map.of("data", PartialType.of(DType.FLOAT32, 32, 784)));
 * try (var bound = BoundSymbol.of(net, arrays, types, GradientRequest.WRITE)) {
 *   bound.argument("data").copyFrom(images);
 *   NDArray scores = bound.forward(true).get(0);
 *   bound.backward(head);
 *   NDArray gradient = bound.gradient("fc1_weight");
 * }
 * }</pre>
 *
 * <p>Arrays of variables belong to the scope in which they were made, or to the caller. The outputs belong to this
 * object: they close with the next forward, and with it.
 */
public final class BoundSymbol implements AutoCloseable {
  private final Symbol symbol;
  private final Map<String, NDArray> variables;
  private final Map<String, GradientRequest> requests;
  private final Map<String, String> groups;
  private final UnaryOperator<List<NDArray>> function;
  /** The plans; null where several devices run the nodes. */
  private final @Nullable CachedOp op;
  private @Nullable List<NDArray> outputs;
  private boolean recorded;

  private BoundSymbol(Symbol symbol, Map<String, NDArray> variables, Map<String, GradientRequest> requests,
    Map<String, String> groups) {
    this.symbol = symbol;
    this.variables = variables;
    this.requests = requests;
    this.groups = groups;
    DeviceGroups placed = DeviceGroups.of(symbol.graph(), runtime(variables), groups);
    if (groups.isEmpty() || placed.used(symbol.graph()).size() <= 1) {
      CachedOp planned = CachedOp.of(SymbolFunction.of(symbol, states(), null), CachedOpOptions.DEFAULT.withInlineLimit(
        0));
      this.op = planned;
      this.function = planned::call;
    } else {
      this.op = null;
      this.function = SymbolFunction.of(symbol, states(), placed);
    }
  }

  private static ArrayRuntime runtime(Map<String, NDArray> variables) {
    return variables.values().iterator().next().runtime();
  }

  /**
   * With new arrays of zeros.
   *
   * @param types of all variables, as inferred
   * @param request for each argument of floating-point numbers
   */
  public static BoundSymbol of(Symbol symbol, ArrayRuntime arrays, SymbolTypes types, GradientRequest request) {
    Map<String, GradientRequest> requests = new LinkedHashMap<>();
    Map<String, TensorType> known = types.known();
    for (String argument : symbol.arguments()) {
      boolean isFloat = typeOf(known, argument).dtype().isFloat();
      requests.put(argument, isFloat ? request : GradientRequest.NONE);
    }
    return of(symbol, arrays, types, requests);
  }

  /**
   * With new arrays of zeros.
   *
   * @param requests by argument; none for others
   */
  public static BoundSymbol of(Symbol symbol, ArrayRuntime arrays, SymbolTypes types,
    Map<String, GradientRequest> requests) {
    return of(symbol, arrays, types, requests, Map.of());
  }

  /**
   * Like {@link #of(Symbol, ArrayRuntime, SymbolTypes, Map)}, on several devices (S-6). A node runs on the device that
   * its {@code ctx_group} note names, without such a note on the runtime's first device. An array lies where the first
   * node that reads it runs. On one device the symbol is planned. On several its nodes run one by one, and values are
   * copied from device to device.
   *
   * <pre>{@code
   * BoundSymbol.of(net, arrays, types, requests, Map.of("dev1", "cpu", "dev2", "cuda:0"))
   * }</pre>
   *
   * @param groups devices of the runtime by the names of groups
   */
  public static BoundSymbol of(Symbol symbol, ArrayRuntime arrays, SymbolTypes types,
    Map<String, GradientRequest> requests, Map<String, String> groups) {
    Graph graph = symbol.graph();
    Map<String, String> places = DeviceGroups.of(graph, arrays, groups).ofVariables(graph);
    Map<String, NDArray> made = new LinkedHashMap<>();
    types.known().forEach((name, type) -> {
      try (var _ = arrays.on(places.getOrDefault(name, arrays.deviceNames().get(0)))) {
        made.put(name, arrays.zeros(type.dtype(), type.shape().extents()));
      }
    });
    return new BoundSymbol(symbol, attached(symbol, made, requests), Map.copyOf(requests), groups);
  }

  /**
   * With arrays of the caller.
   *
   * @param variables one for each argument and state, by name
   * @param requests by argument; none for others. A request attaches a gradient to the array
   * @throws IllegalArgumentException when names and variables differ, or the types break an operator's rules
   */
  public static BoundSymbol bind(Symbol symbol, Map<String, NDArray> variables, Map<String, GradientRequest> requests) {
    return new BoundSymbol(symbol, attached(symbol, variables, requests), Map.copyOf(requests), Map.of());
  }

  /** The variables in the symbol's order, with the gradients that are requested. */
  private static Map<String, NDArray> attached(Symbol symbol, Map<String, NDArray> variables,
    Map<String, GradientRequest> requests) {
    List<String> names = Stream.concat(symbol.arguments().stream(), symbol.states().stream()).toList();
    if (!variables.keySet().equals(Set.copyOf(names)) || !symbol.arguments().containsAll(requests.keySet())) {
      throw new IllegalArgumentException("arrays and variables differ: variables=%s arrays=%s requests=%s".formatted(
        names, variables.keySet(), requests.keySet()));
    }
    symbol.infer(variables.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, it -> PartialType.of(it
      .getValue().type()))));
    Map<String, NDArray> ordered = new LinkedHashMap<>();
    names.forEach(it -> ordered.put(it, of(variables, it)));
    requests.forEach((name, request) -> of(ordered, name).attachGradient(request));
    return ordered;
  }

  private static NDArray of(Map<String, NDArray> arrays, String name) {
    NDArray array = arrays.get(name);
    if (array == null) {
      throw new IllegalArgumentException("no such variable: name=%s variables=%s".formatted(name, arrays.keySet()));
    }
    return array;
  }

  private static TensorType typeOf(Map<String, TensorType> types, String name) {
    TensorType type = types.get(name);
    if (type == null) {
      throw new IllegalArgumentException("the type of a variable is missing: variable=%s types=%s".formatted(name,
        types.keySet()));
    }
    return type;
  }

  /** The array of an argument or a state. */
  public NDArray argument(String name) {
    return of(variables, name);
  }

  /** The arrays of the arguments, in their order. */
  public Map<String, NDArray> arguments() {
    return named(symbol.arguments(), this::argument);
  }

  /**
   * The arrays of the states, in their order. {@code forward(true)} overwrites those of a {@code BatchNormalization}
   * with attribute {@code training_mode}; {@code forward(false)} normalises by them.
   */
  public Map<String, NDArray> states() {
    return named(symbol.states(), this::argument);
  }

  /** The gradient of an argument. @throws IllegalStateException when none was requested */
  public NDArray gradient(String name) {
    return argument(name).gradient();
  }

  /** The gradients that were requested, by argument. */
  public Map<String, NDArray> gradients() {
    return named(symbol.arguments().stream().filter(it -> argument(it).hasGradient()).toList(), this::gradient);
  }

  private static Map<String, NDArray> named(List<String> names, Function<String, NDArray> array) {
    Map<String, NDArray> all = new LinkedHashMap<>();
    names.forEach(it -> all.put(it, array.apply(it)));
    return Collections.unmodifiableMap(all);
  }

  /**
   * Computes the outputs from the arrays as they are now. Returns when the operation is pushed.
   *
   * @param train whether a backward follows, and the thread trains meanwhile
   * @return the outputs, which the next forward closes
   */
  public List<NDArray> forward(boolean train) {
    closeOutputs();
    List<NDArray> operands = List.copyOf(arguments().values());
    try (ArrayScope scope = operands.get(0).runtime().scope();
      RecordingScope _ = train ? Autograd.record() : Autograd.pause()) {
      List<NDArray> made = function.apply(operands);
      made.forEach(scope::release);
      outputs = made;
      recorded = train;
      return made;
    }
  }

  /** The outputs of the last forward. @throws IllegalStateException when there was none */
  public List<NDArray> outputs() {
    List<NDArray> there = outputs;
    if (there == null) {
      throw new IllegalStateException("outputs are there after a forward only: symbol=" + symbol.outputs());
    }
    return there;
  }

  /**
   * Computes the gradients that were requested, once for each {@code forward(true)}.
   *
   * @param heads the gradients of the outputs; without any, ones
   * @throws IllegalStateException when no forward of this kind came before
   */
  public void backward(NDArray... heads) {
    List<NDArray> ys = outputs();
    if (!recorded) {
      throw new IllegalStateException("a backward follows forward(true): symbol=" + symbol.outputs());
    }
    Autograd.backward(ys, heads.length == 0 ? Collections.nCopies(ys.size(), null) : Arrays.asList(heads),
      BackwardOptions.DEFAULT);
  }

  /**
   * The same symbol for other shapes. Variables whose types stay share their arrays and gradients with this one; a
   * variable that is not larger takes a view of the bytes that are there, a larger one a new array.
   *
   * @param types of some variables, such as the data; the others follow
   */
  public BoundSymbol reshape(Map<String, PartialType> types) {
    Map<String, NDArray> others = new LinkedHashMap<>();
    Map<String, GradientRequest> attached = new LinkedHashMap<>();
    symbol.infer(types).known().forEach((name, type) -> {
      NDArray array = argument(name);
      if (!type.equals(array.type())) {
        others.put(name, resized(array, type));
        attached.put(name, requests.getOrDefault(name, GradientRequest.NONE));
      } else {
        others.put(name, array);
      }
    });
    attached.keySet().retainAll(symbol.arguments());
    return new BoundSymbol(symbol, attached(symbol, others, attached), requests, groups);
  }

  private static NDArray resized(NDArray array, TensorType type) {
    long elements = type.shape().elementCount();
    if (type.dtype() == array.dtype() && elements <= array.shape().elementCount()) {
      return array.flatten().rows(0, elements).reshape(type.shape().extents());
    }
    try (var _ = array.runtime().on(array.device())) {
      return array.runtime().zeros(type.dtype(), type.shape().extents());
    }
  }

  private void closeOutputs() {
    List<NDArray> before = outputs;
    outputs = null;
    recorded = false;
    if (before != null) {
      before.stream().filter(it -> !it.isClosed()).forEach(NDArray::close);
    }
  }

  /** Gives outputs and plans back; the arrays of the variables stay. */
  @Override
  public void close() {
    closeOutputs();
    if (op != null) {
      op.close();
    }
  }
}
