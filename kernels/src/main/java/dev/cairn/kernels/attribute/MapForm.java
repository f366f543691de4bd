package dev.cairn.kernels.attribute;

import java.util.Arrays;
import java.util.List;

/**
 * The attributes of operators of maps: {@code ZipMap}, {@code CastMap} and {@code DictVectorizer} of ai.onnx.ml.
 *
 * @param texts keys that are strings: labels of {@code ZipMap}, the vocabulary of {@code DictVectorizer}
 * @param numbers keys that are whole numbers
 * @param result what {@code CastMap} makes of values: TO_FLOAT by default, TO_INT64 or TO_STRING
 * @param isSparse whether a key of {@code CastMap} says where the value stands; by default values stand side by side
 * @param width how many values a sparse {@code CastMap} gives, by default 1
 */
public record MapForm(List<String> texts, List<Long> numbers, String result, boolean isSparse, long width) {
  /** Values of attribute {@code cast_to}. */
  public static final String TO_FLOAT = "TO_FLOAT";
  public static final String TO_INT64 = "TO_INT64";
  public static final String TO_STRING = "TO_STRING";

  public MapForm {
    texts = List.copyOf(texts);
    numbers = List.copyOf(numbers);
  }

  /** @throws IllegalArgumentException when an attribute has no meaning */
  public static MapForm of(Attributes attributes) {
    return attributes.parsed(MapForm.class, MapForm::parsed);
  }

  private static MapForm parsed(Attributes attributes) {
    String form = attributes.getText("map_form", "DENSE");
    String result = attributes.getText("cast_to", TO_FLOAT);
    long width = attributes.getLong("max_map", 1);
    if (!List.of("DENSE", "SPARSE").contains(form) || !List.of(TO_FLOAT, TO_INT64, TO_STRING).contains(result)
      || width < 0) {
      throw new IllegalArgumentException("no such cast of a map: map_form=\"%s\" cast_to=\"%s\" max_map=%d".formatted(
        form, result, width));
    }
    return new MapForm(keys(attributes.getTexts("classlabels_strings"), attributes.getTexts("string_vocabulary")), keys(
      numbers(attributes, "classlabels_int64s"), numbers(attributes, "int64_vocabulary")), result,
      form.equals(
        "SPARSE"),
      width);
  }

  private static List<Long> numbers(Attributes attributes, String name) {
    return Arrays.stream(attributes.getLongs(name)).boxed().toList();
  }

  private static <T> List<T> keys(List<T> labels, List<T> vocabulary) {
    return labels.isEmpty() ? vocabulary : labels;
  }
}
