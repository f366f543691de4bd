package dev.cairn.runtime.value;

import dev.cairn.kernels.tensor.DType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An ONNX map, as {@code DictVectorizer} reads it: keys and values in the same order. As an input it owns nothing, so
 * the caller closes both tensors.
 *
 * @param keys a list of strings or of {@code int64}
 * @param values a list of as many values
 */
public record TensorMap(Tensor keys, Tensor values) implements Value {
  public TensorMap {
    MapElements.requireKeys(keys);
    if (values.shape().rank() != 1 || values.shape().extent(0) != keys.shape().extent(0)) {
      throw new IllegalArgumentException("a map has one value for each key: keys=%s values=%s".formatted(keys.type(),
        values.type()));
    }
  }

  /** A map from strings to {@code float32}. */
  public static TensorMap ofTexts(Map<String, Float> map) {
    return new TensorMap(Tensor.of(map.keySet().toArray(String[]::new), map.size()), floats(map));
  }

  /** A map from whole numbers to {@code float32}. */
  public static TensorMap ofNumbers(Map<Long, Float> map) {
    return new TensorMap(Tensor.of(map.keySet().stream().mapToLong(Long::longValue).toArray(), map.size()), floats(
      map));
  }

  private static Tensor floats(Map<?, Float> map) {
    float[] values = new float[map.size()];
    int next = 0;
    for (float value : map.values()) {
      values[next++] = value;
    }
    return Tensor.of(values, values.length);
  }

  /** The map as Java's: keys are {@code String} or {@code Long}, values {@code String}, {@code Long} or {@code Double}. */
  public Map<Object, Object> asMap() {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keys.shape().extent(0); i++) {
      map.put(MapElements.at(keys, i), MapElements.at(values, i));
    }
    return map;
  }

  /** The element type of the values. */
  public DType dtype() {
    return values.dtype();
  }

  @Override
  public List<Tensor> tensors() {
    return List.of(keys, values);
  }
}
