package dev.cairn.kernels.attribute;

/** The attribute {@code seed} of operators that draw random numbers: ONNX writes it as a 32-bit float. */
public final class RandomSeed {
  private RandomSeed() {}

  /** The seed of an operation without a random state; 0 where the attribute is missing. */
  public static long of(Attributes attributes) {
    return Float.floatToIntBits(attributes.getFloat("seed", 0)) & 0xFFFFFFFFL;
  }
}
