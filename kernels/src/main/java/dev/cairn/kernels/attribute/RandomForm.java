package dev.cairn.kernels.attribute;

import java.util.Optional;

/**
 * The attributes of operators that draw random numbers. Defaults are those of ONNX operator set 22; {@code draw} is
 * Cairn's own. {@link RandomSeed} reads the seed.
 *
 * @param draw which draw of the seed this is, by default 0
 * @param isSeedGiven whether the node has a seed
 * @param low where uniform numbers begin, by default 0
 * @param high where they end, by default 1
 * @param mean of normal numbers, by default 0
 * @param scale the deviation of normal numbers, by default 1
 * @param samples attribute {@code sample_size} of {@code Multinomial}, by default 1
 * @param shape of a result without an operand that has its shape
 * @param dtype of the result; empty for the operator's default, or for the type of the operand
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RandomForm(long draw, boolean isSeedGiven, float low, float high, float mean, float scale, long samples,
  long[] shape, Optional<String> dtype) {
  public static RandomForm of(Attributes attributes) {
    return new RandomForm(attributes.getLong("draw", 0), attributes.has("seed"), attributes.getFloat("low", 0),
      attributes.getFloat("high", 1), attributes.getFloat("mean", 0), attributes.getFloat("scale", 1), attributes
        .getLong("sample_size", 1),
      attributes.getLongs("shape"), CastForm.text(attributes, "dtype"));
  }
}
