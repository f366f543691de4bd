package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.LinkedHashMap;
import java.util.Map;

/** Computes on arrays at once. */
final class ArrayPass extends LayerPass<NDArray> {
  private final LayerArrays arrays;
  private final Map<NDArray, NDArray> updates = new LinkedHashMap<>();

  ArrayPass(LayerArrays arrays, boolean isTraining) {
    super(isTraining);
    this.arrays = arrays;
  }

  @Override
  public NDArray value(Parameter parameter) {
    return arrays.array(parameter);
  }

  @Override
  public void update(Parameter state, NDArray value) {
    updates.put(arrays.array(state), value);
  }

  /** Overwrites states with their new values. */
  void finish() {
    updates.forEach(NDArray::copyFrom);
  }

  @Override
  public Draw<NDArray> draw() {
    return new Draw<>(arrays.runtime().random().draw(), 0);
  }

  @Override
  public PartialType type(NDArray x) {
    return PartialType.of(x.type());
  }

  @Override
  void computed(Layer layer, NDArray result) {}

  @Override
  Scope within(Layer layer) {
    return () -> {};
  }
}
