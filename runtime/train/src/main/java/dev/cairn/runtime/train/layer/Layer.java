package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.resource.RandomState;
import dev.cairn.runtime.train.initializer.Initializer;
import dev.cairn.runtime.train.initializer.Initializers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A function of tensors with parameters, written once for symbols and arrays. A subclass registers parameters and
 * children in its constructor, and says in {@link #forward} what it computes:
 *
 * <pre>
 * final class Classifier extends Layer {
 *   private final Dense hidden = child("fc1", Dense.of(128));
 *   private final Dense last = child("fc2", Dense.of(10));
 *
 *   protected &lt;T extends Expression&lt;T&gt;&gt; T forward(LayerPass&lt;T&gt; pass, T x) {
 *     return last.apply(pass, hidden.apply(pass, x).relu());
 *   }
 * }
 * </pre>
 *
 * <p>The path of a parameter has the names of the layers around it, as in {@code fc1.weight}. Not thread-safe.
 */
public abstract class Layer {
  private final Map<String, Parameter> own = new LinkedHashMap<>();
  private final Map<String, Layer> children = new LinkedHashMap<>();

  /**
   * Registers a parameter that training changes, of {@code float32} elements.
   *
   * @param initializer null for the network's
   * @param extents {@link PartialType#OPEN} for extents that follow from data
   */
  protected final Parameter parameter(String name, @Nullable Initializer initializer, long... extents) {
    return shared(name, new Parameter(name, PartialType.of(DType.FLOAT32, extents), false, initializer));
  }

  /** Registers a tensor that the layer itself replaces when it is trained, such as running statistics. */
  protected final Parameter state(String name, Initializer initializer, long... extents) {
    return shared(name, new Parameter(name, PartialType.of(DType.FLOAT32, extents), true, initializer));
  }

  /** Registers a parameter of another layer: both use the same tensor. */
  protected final Parameter shared(String name, Parameter parameter) {
    requireFree(name);
    own.put(name, parameter);
    return parameter;
  }

  /** Registers a layer within this one. */
  protected final <L extends Layer> L child(String name, L layer) {
    requireFree(name);
    if (layer.layers().containsValue(this)) {
      throw new IllegalArgumentException("a layer cannot be within itself: child=" + name);
    }
    children.put(name, layer);
    return layer;
  }

  private void requireFree(String name) {
    if (name.isEmpty() || name.indexOf('.') >= 0 || own.containsKey(name) || children.containsKey(name)) {
      throw new IllegalArgumentException("a name must be new, and without dots: name=%s parameters=%s children=%s"
        .formatted(name, own.keySet(), children.keySet()));
    }
  }

  /**
   * Computes the result.
   *
   * @param pass hands out parameters, and collects states
   */
  protected abstract <T extends Expression<T>> T forward(LayerPass<T> pass, T x);

  /** Computes all results of all inputs, for a layer that has several of either. */
  protected <T extends Expression<T>> List<T> forwardAll(LayerPass<T> pass, List<T> inputs) {
    if (inputs.size() != 1) {
      throw new IllegalArgumentException("a layer takes one input: layer=%s inputs=%d".formatted(getClass()
        .getSimpleName(), inputs.size()));
    }
    return List.of(forward(pass, inputs.get(0)));
  }

  /** The result of this layer within a pass. Layers call their children with it. */
  public final <T extends Expression<T>> T apply(LayerPass<T> pass, T x) {
    try (var _ = pass.within(this)) {
      T result = forward(pass, x);
      pass.computed(this, result);
      return result;
    }
  }

  /** Like {@link #apply}, for several inputs or results; there is at least one result. */
  public final <T extends Expression<T>> List<T> applyAll(LayerPass<T> pass, List<T> inputs) {
    try (var _ = pass.within(this)) {
      List<T> results = forwardAll(pass, inputs);
      pass.computed(this, results.getFirst());
      return results;
    }
  }

  /** The parameters and states of this layer itself, by name. */
  final Map<String, Parameter> own() {
    return own;
  }

  /** The layers directly within this one, by name. */
  public final Map<String, Layer> children() {
    return new LinkedHashMap<>(children);
  }

  /** This layer under the empty path, and all layers within it by path. */
  public final Map<String, Layer> layers() {
    Map<String, Layer> all = new LinkedHashMap<>();
    collect("", all);
    return all;
  }

  private void collect(String path, Map<String, Layer> all) {
    all.put(path, this);
    children.forEach((name, child) -> child.collect(path.isEmpty() ? name : path + "." + name, all));
  }

  /**
   * The parameters that training changes, and frozen ones, by path. A parameter that several layers share stands under
   * its first path.
   */
  public final Map<String, Parameter> parameters() {
    return distinct(false);
  }

  /** The states that the layers themselves replace, by path. */
  public final Map<String, Parameter> states() {
    return distinct(true);
  }

  private Map<String, Parameter> distinct(boolean states) {
    Map<String, Parameter> found = new LinkedHashMap<>();
    allPaths().forEach((path, parameter) -> {
      if (parameter.isState() == states && !found.containsValue(parameter)) {
        found.put(path, parameter);
      }
    });
    return found;
  }

  /** Parameters and states by path; a shared one under each of its paths. */
  final Map<String, Parameter> allPaths() {
    Map<String, Parameter> all = new LinkedHashMap<>();
    layers().forEach((path, layer) -> layer.own.forEach((name, parameter) -> all.put(path.isEmpty()
      ? name
      : path + "." + name, parameter)));
    return all;
  }

  /**
   * The parameter or state of a path.
   *
   * @throws IllegalArgumentException when there is none; lists all
   */
  public final Parameter get(String path) {
    Map<String, Parameter> all = allPaths();
    Parameter found = all.get(path);
    if (found == null) {
      throw new IllegalArgumentException("no such parameter: path=%s paths=%s".formatted(path, all.keySet()));
    }
    return found;
  }

  /**
   * Gives all parameters and states their first values, in their order. A parameter that was declared with an
   * initializer takes that one.
   *
   * @param weights for weights; biases begin with 0, see {@link Initializers#byName}
   * @param seed decides the random numbers
   * @param inputs the types of the data, if extents of parameters depend on them
   * @throws IllegalStateException when types of parameters stay open
   */
  public final void initialize(Initializer weights, long seed, PartialType... inputs) {
    initialize(weights, new RandomState(seed), true, inputs);
  }

  final void initialize(Initializer weights, RandomState random, boolean again, PartialType... inputs) {
    if (inputs.length > 0) {
      LayerGraph.of(this, false, inputs).settle();
    }
    Initializer fallback = Initializers.byName(weights);
    Map<String, Parameter> all = parameters();
    all.putAll(states());
    all.forEach((path, parameter) -> {
      if (again || !parameter.isInitialized()) {
        parameter.initialize(path, fallback, random);
      }
    });
  }

  /** Keeps training from changing the parameters whose paths fulfil a condition. */
  public final void freeze(Predicate<String> condition) {
    allPaths().forEach((path, parameter) -> {
      if (condition.test(path)) {
        parameter.freeze(true);
      }
    });
  }

  /** Gives all parameters and states another element type; they lose their values. */
  public final void astype(DType dtype) {
    allPaths().values().forEach(it -> it.retype(dtype));
  }

  /**
   * A table of all layers: types of results, parameters and bytes.
   *
   * @param inputs the types of the data
   */
  public final String summary(PartialType... inputs) {
    return LayerSummary.of(this, inputs);
  }

  /**
   * This layer as a graph for inference, with its values as constants. They are not copied: the graph follows later
   * changes of the parameters.
   *
   * @param inputs the types of the inputs, which are named {@code data}, or {@code data0}, {@code data1}, ...
   */
  public final Graph graph(PartialType... inputs) {
    return LayerGraph.of(this, false, inputs).withValues();
  }
}
