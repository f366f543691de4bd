package dev.cairn.runtime.value;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
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
    requireKeys(keys);
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

  /**
   * The map as Java's: keys are {@code String} or {@code Long}, values {@code String}, {@code Long} or {@code Double}.
   */
  public Map<Object, Object> asMap() {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keys.shape().extent(0); i++) {
      map.put(at(keys, i), at(values, i));
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

  private static void requireKeys(Tensor keys) {
    if (keys.shape().rank() != 1 || (keys.dtype() != DType.STRING && keys.dtype() != DType.INT64)) {
      throw new IllegalArgumentException("keys of a map are a list of strings or of int64: keys=" + keys.type());
    }
  }

  /** An element as one of Java's objects. */
  private static Object at(Tensor tensor, long index) {
    TensorView view = tensor.view();
    return view.dtype() == DType.STRING
      ? StringElements.at(view, index)
      : view.dtype().isFloat() ? (Object) view.doubleAt(index) : (Object) view.longAt(index);
  }

  /**
   * An ONNX sequence of maps, as {@code ZipMap} makes it: a map for each row of values, all with the same keys. As an
   * output its tensors belong to the {@link Result}.
   *
   * @param keys a list of strings or of {@code int64}
   * @param values a row for each map, with a column for each key
   */
  public record Sequence(Tensor keys, Tensor values) implements Value {
    public Sequence {
      requireKeys(keys);
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
        map.put(at(keys, i), (float) values.view().doubleAt(index * width + i));
      }
      return map;
    }

    @Override
    public List<Tensor> tensors() {
      return List.of(keys, values);
    }
  }
}
