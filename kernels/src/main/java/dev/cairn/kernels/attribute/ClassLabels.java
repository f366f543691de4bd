package dev.cairn.kernels.attribute;

import java.util.List;

/**
 * The labels of classes: whole numbers, or strings. Kernels give labels as whole numbers, so a class with a string has
 * its index as its number.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ClassLabels(List<String> texts, long[] numbers) {
  /** Names of the attribute that has strings, and of the one that has whole numbers, by which operators differ. */
  private static final String TEXTS = "classlabels_strings";
  private static final List<String> NUMBERS = List.of("classlabels_int64s", "classlabels_ints");

  /** @throws IllegalArgumentException when there are no labels */
  public static ClassLabels of(Attributes attributes) {
    List<String> texts = attributes.getTexts(TEXTS);
    long[] numbers = new long[texts.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i;
    }
    for (String name : NUMBERS) {
      numbers = texts.isEmpty() && attributes.has(name) ? attributes.getLongs(name) : numbers;
    }
    if (numbers.length == 0) {
      throw new IllegalArgumentException("labels of classes are missing: attribute=classlabels_*");
    }
    return new ClassLabels(List.copyOf(texts), numbers);
  }

  public int count() {
    return numbers.length;
  }

  /** The attributes without strings, of which each has its index as label. */
  public Attributes numbered(Attributes attributes, String name) {
    return attributes.without(TEXTS).with(name, AttributeValue.Ints.of(numbers));
  }
}
