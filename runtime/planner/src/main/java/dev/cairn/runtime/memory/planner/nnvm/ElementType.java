package dev.cairn.runtime.memory.planner.nnvm;

/**
 * The type of an entry's elements.
 *
 * @param name the difference from other types of the same size
 * @param bits of one lane, at least 1
 * @param lanes of one element, at least 1
 */
public record ElementType(String name, int bits, int lanes) {
  public static final ElementType FLOAT32 = new ElementType("float32", 32, 1);

  public ElementType {
    if (bits < 1 || lanes < 1 || (long) bits * lanes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("bad element type: name=%s bits=%d lanes=%d".formatted(name, bits, lanes));
    }
  }

  /** A type of one lane. */
  public static ElementType of(String name, int bytes) {
    return new ElementType(name, Math.multiplyExact(bytes, 8), 1);
  }

  /** Bytes of one element, rounded up to whole ones. */
  public int bytes() {
    return Math.ceilDiv(bits * lanes, 8);
  }
}
