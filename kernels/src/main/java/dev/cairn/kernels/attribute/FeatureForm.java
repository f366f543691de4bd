package dev.cairn.kernels.attribute;

/**
 * How many columns {@code FeatureVectorizer} gives to each of its inputs.
 *
 * @param columns one number for each input
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FeatureForm(long[] columns) {
  /** @throws IllegalArgumentException when a number is negative */
  public static FeatureForm of(Attributes attributes) {
    long[] columns = attributes.getLongs("inputdimensions");
    for (long count : columns) {
      if (count < 0) {
        throw new IllegalArgumentException("a negative number of columns: inputdimensions=" + count);
      }
    }
    return new FeatureForm(columns);
  }

  public long all() {
    long sum = 0;
    for (long count : columns) {
      sum = Math.addExact(sum, count);
    }
    return sum;
  }
}
