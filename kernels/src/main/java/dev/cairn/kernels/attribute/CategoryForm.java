package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The categories of a {@code OneHotEncoder}.
 *
 * @param places by category: strings, or whole numbers
 * @param areTexts whether categories are strings
 * @param admitsOthers whether an element of no category gives zeros; else it is an error
 */
public record CategoryForm(Map<Object, Integer> places, int count, boolean areTexts, boolean admitsOthers) {
  /** @throws IllegalArgumentException when there are no categories */
  public static CategoryForm of(Attributes attributes) {
    return attributes.parsed(CategoryForm.class, CategoryForm::parsed);
  }

  private static CategoryForm parsed(Attributes attributes) {
    List<String> texts = attributes.getTexts("cats_strings");
    long[] numbers = attributes.getLongs("cats_int64s");
    Map<Object, Integer> places = new HashMap<>();
    int count = texts.isEmpty() ? numbers.length : texts.size();
    for (int i = 0; i < count; i++) {
      places.put(texts.isEmpty() ? (Object) numbers[i] : texts.get(i), i);
    }
    if (count == 0) {
      throw new IllegalArgumentException("categories are missing: attribute=cats_*");
    }
    return new CategoryForm(Map.copyOf(places), count, !texts.isEmpty(), attributes.getFlag("zeros", true));
  }

  /** The place of an element's category; -1 if it has none. */
  public int place(TensorView x, long index) {
    Object label = x.dtype() == DType.STRING
      ? StringElements.at(x, index)
      : (Object) (x.dtype().isFloat() ? (long) x.doubleAt(index) : x.longAt(index));
    Integer place = places.get(label);
    if (place == null && !admitsOthers) {
      throw new IllegalArgumentException("an element is of no category: index=%d element=%s".formatted(index, label));
    }
    return place == null ? -1 : place;
  }
}
