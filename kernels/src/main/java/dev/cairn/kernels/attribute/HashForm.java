package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code MurmurHash3} of com.microsoft.
 *
 * @param seed by default 0: 32 bits
 * @param isPositive attribute {@code positive}, by default 1: whether results have no sign
 */
public record HashForm(int seed, boolean isPositive) {
  private static final int MULTIPLIER = 0xcc9e2d51;
  private static final int FURTHER_MULTIPLIER = 0x1b873593;

  public static HashForm of(Attributes attributes) {
    return new HashForm((int) attributes.getLong("seed", 0), attributes.getLong("positive", 1) == 1);
  }

  /** MurmurHash3, as Austin Appleby defined it for 32 bits, of some bytes. */
  public int hash(byte[] bytes) {
    int hash = seed;
    int whole = bytes.length / Integer.BYTES * Integer.BYTES;
    for (int i = 0; i < whole; i += Integer.BYTES) {
      hash = Integer.rotateLeft(hash ^ mixed(word(bytes, i, Integer.BYTES)), 13) * 5 + 0xe6546b64;
    }
    if (whole < bytes.length) {
      hash ^= mixed(word(bytes, whole, bytes.length - whole));
    }
    hash ^= bytes.length;
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }

  /** Bytes as a number, the lowest first. */
  private static int word(byte[] bytes, int first, int count) {
    int word = 0;
    for (int i = 0; i < count; i++) {
      word |= Byte.toUnsignedInt(bytes[first + i]) << (i * Byte.SIZE);
    }
    return word;
  }

  private static int mixed(int word) {
    return Integer.rotateLeft(word * MULTIPLIER, 15) * FURTHER_MULTIPLIER;
  }
}
