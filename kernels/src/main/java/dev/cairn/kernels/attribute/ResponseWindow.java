package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code LRN} and its gradient: {@code x / (bias + alpha/size * sum of x^2)^beta}, with the sum
 * over {@code size} channels.
 *
 * @param size 0 where the attribute is missing, which the operator does not admit
 */
public record ResponseWindow(long size, float alpha, float beta, float bias) {
  public static ResponseWindow of(Attributes attributes) {
    return new ResponseWindow(attributes.getLong("size", 0), attributes.getFloat("alpha", 1e-4f), attributes.getFloat(
      "beta", 0.75f), attributes.getFloat("bias", 1));
  }
}
