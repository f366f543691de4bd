package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.train.initializer.Initializers;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A layer on the arrays of a runtime: it has an array for each parameter and state, and computes at once. The arrays
 * are copies; {@link #store} writes them back. Not thread-safe.
 */
public final class LayerArrays implements AutoCloseable {
  private final Layer layer;
  private final ArrayRuntime runtime;
  private final Map<Parameter, NDArray> arrays = new HashMap<>();

  private LayerArrays(Layer layer, ArrayRuntime runtime) {
    this.layer = layer;
    this.runtime = runtime;
  }

  /** The first call with {@link #apply} initializes the parameters that have no values, with the runtime's numbers. */
  public static LayerArrays of(Layer layer, ArrayRuntime runtime) {
    return new LayerArrays(layer, runtime);
  }

  /** The result for inference. */
  public NDArray apply(NDArray x) {
    return apply(false, x);
  }

  /** The result, as in training if that is wanted: dropout drops, and running statistics are updated. */
  public NDArray apply(boolean isTraining, NDArray x) {
    return applyAll(isTraining, List.of(x)).getFirst();
  }

  /** All results of several inputs. They belong to the innermost open scope, or else to the caller. */
  public List<NDArray> applyAll(boolean isTraining, List<NDArray> inputs) {
    if (!layer.allPaths().values().stream().allMatch(Parameter::isInitialized)) {
      layer.initialize(Initializers.uniform(Initializers.STANDARD_SCALE), runtime.random().split(1).getFirst(), false,
        inputs.stream().map(it -> PartialType.of(it.type())).toArray(PartialType[]::new));
    }
    try (ArrayScope scope = runtime.scope()) {
      var pass = new ArrayPass(this, isTraining);
      List<NDArray> results = layer.applyAll(pass, inputs);
      pass.finish();
      results.stream().distinct().filter(it -> !inputs.contains(it) && !arrays.containsValue(it)).forEach(scope::keep);
      return results;
    }
  }

  /** The arrays of parameters and states, by path, such as to attach gradients to them. */
  public Map<String, NDArray> arrays() {
    Map<String, NDArray> all = new LinkedHashMap<>();
    layer.parameters().forEach((path, parameter) -> all.put(path, array(parameter)));
    layer.states().forEach((path, parameter) -> all.put(path, array(parameter)));
    return all;
  }

  NDArray array(Parameter parameter) {
    NDArray before = arrays.get(parameter);
    if (before != null) {
      return before;
    }
    try (ArrayScope scope = runtime.scope()) {
      NDArray made = scope.release(runtime.copyOf(parameter.value()));
      arrays.put(parameter, made);
      return made;
    }
  }

  ArrayRuntime runtime() {
    return runtime;
  }

  /** Writes the arrays' values into the parameters. */
  public void store() {
    arrays.forEach((parameter, array) -> array.read(bytes -> {
      parameter.set(new TensorView(array.type(), bytes));
      return true;
    }));
  }

  /** Closes the arrays. */
  @Override
  public void close() {
    arrays.values().forEach(NDArray::close);
    arrays.clear();
  }
}
