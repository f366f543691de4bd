package dev.cairn.runtime.value;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An ONNX sequence of maps, as {@code ZipMap} makes it: a map for each row of values, all with the same keys. As an
 * output its tensors belong to the {@link Result}.
 *
 * @param keys a list of strings or of {@code int64}
 * @param values a row for each map, with a column for each key
 */
public record MapSequence(Tensor keys, Tensor values) implements Value {
  public MapSequence {
    MapElements.requireKeys(keys);
    if (values.shape().rank() != 2 || values.shape().extent(1) != keys.shape().extent(0)) {
      throw new IllegalArgumentException("maps have one value for each key: keys=%s values=%s".formatted(keys.type(),
        values.type()));
    }
  }

  /** How many maps there are. */
  public int size() {
    return Math.toIntExact(values.shape().extent(0));
  }

  /** One map: keys are {@code String} or {@code Long}. */
  public Map<Object, Float> map(int index) {
    if (index < 0 || index >= size()) {
      throw new IndexOutOfBoundsException("no such map: index=%d maps=%d".formatted(index, size()));
    }
    Map<Object, Float> map = new LinkedHashMap<>();
    long width = keys.shape().extent(0);
    for (int i = 0; i < width; i++) {
      map.put(MapElements.at(keys, i), (float) values.view().doubleAt(index * width + i));
    }
    return map;
  }

  @Override
  public List<Tensor> tensors() {
    return List.of(keys, values);
  }
}
