package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The map from elements to results of a {@code LabelEncoder} or {@code CategoryMapper}, parsed from its attributes.
 * Elements are strings, {@code Long}s or {@code Double}s; a NaN is a key like any other.
 *
 * @param values by key
 * @param absent for elements that are no key
 * @param keyType the element type of keys
 * @param valueType the element type of values
 */
public record LabelMap(Map<Object, Object> values, Object absent, DType keyType, DType valueType) {
  public LabelMap {
    values = Map.copyOf(values);
  }

  /** Keys or values of an attribute, all of one type. */
  private record Labels(DType dtype, List<Object> labels) {}

  /**
   * @param given the element type of the input
   * @throws IllegalArgumentException when keys or values are missing, or their numbers differ
   */
  public static LabelMap of(Attributes attributes, DType given) {
    boolean isText = given == DType.STRING;
    LabelMap known = attributes.parsed(LabelMap.class, it -> of(it, isText));
    boolean isOfPairs = attributes.has("classes_strings") || attributes.has("cats_strings");
    return isOfPairs && isText != (known.keyType == DType.STRING) ? of(attributes, isText) : known;
  }

  /** @param isText whether keys are strings, where the attributes may be read either way */
  private static LabelMap of(Attributes attributes, boolean isText) {
    if (attributes.has("classes_strings")) {
      return of(attributes, classes(attributes, isText), classes(attributes, !isText));
    }
    return attributes.has("cats_strings")
      ? of(attributes, categories(attributes, isText), categories(attributes, !isText))
      : of(attributes, labels(attributes, "keys_"), labels(attributes, "values_"));
  }

  private static LabelMap of(Attributes attributes, Labels keys, Labels values) {
    if (keys.labels.size() != values.labels.size()) {
      throw new IllegalArgumentException("one value for each key is needed: keys=%d values=%d".formatted(keys.labels
        .size(), values.labels.size()));
    }
    Map<Object, Object> map = new HashMap<>();
    for (int i = 0; i < keys.labels.size(); i++) {
      map.putIfAbsent(keys.labels.get(i), values.labels.get(i));
    }
    return new LabelMap(map, absent(attributes, values.dtype), keys.dtype, values.dtype);
  }

  private static Labels classes(Attributes attributes, boolean names) {
    List<Object> labels = new ArrayList<>();
    for (String name : attributes.getTexts("classes_strings")) {
      labels.add(names ? name : (Object) (long) labels.size());
    }
    return new Labels(names ? DType.STRING : DType.INT64, labels);
  }

  private static Labels categories(Attributes attributes, boolean names) {
    return names
      ? new Labels(DType.STRING, List.copyOf(attributes.getTexts("cats_strings")))
      : new Labels(DType.INT64, Arrays.stream(attributes.getLongs("cats_int64s")).mapToObj(
        it -> (Object) it).toList());
  }

  private static Labels labels(Attributes attributes, String prefix) {
    if (attributes.has(prefix + "strings")) {
      return new Labels(DType.STRING, List.copyOf(attributes.getTexts(prefix + "strings")));
    }
    List<Object> labels = new ArrayList<>();
    if (attributes.has(prefix + "int64s")) {
      for (long label : attributes.getLongs(prefix + "int64s")) {
        labels.add(label);
      }
      return new Labels(DType.INT64, labels);
    }
    if (attributes.has(prefix + "floats")) {
      attributes.getFloats(prefix + "floats").forEach(label -> labels.add(real(label)));
      return new Labels(DType.FLOAT32, labels);
    }
    if (attributes.find(prefix + "tensor").orElse(null) instanceof AttributeValue.Tensor(TensorView view)) {
      for (long i = 0; i < view.elementCount(); i++) {
        labels.add(label(view, i));
      }
      return new Labels(view.dtype(), labels);
    }
    throw new IllegalArgumentException("labels are missing: attribute=%s*".formatted(prefix));
  }

  private static Object absent(Attributes attributes, DType dtype) {
    if (attributes.find("default_tensor").orElse(null) instanceof AttributeValue.Tensor(TensorView view)) {
      return label(view, 0);
    }
    return dtype == DType.STRING
      ? attributes.getText("default_string", "_Unused")
      : dtype.isFloat()
        ? (Object) (double) attributes.getFloat("default_float", -0.0f)
        : (Object) attributes.getLong("default_int64", -1);
  }

  /** An element as a key. */
  private static Object label(TensorView view, long index) {
    return view.dtype() == DType.STRING
      ? StringElements.at(view, index)
      : view.dtype().isFloat() ? (Object) real(view.doubleAt(index)) : (Object) view.longAt(index);
  }

  /** The zeros are one key. */
  private static Double real(double value) {
    return value == 0 ? 0.0 : value;
  }

  /** The value that replaces the element at a flat index. */
  public Object value(TensorView x, long index) {
    return values.getOrDefault(label(x, index), absent);
  }
}
