package dev.cairn.kernels.cpu;

/**
 * Random numbers by counter: Philox 4x32 with ten rounds, after J. Salmon and others, "Parallel random numbers: as easy
 * as 1, 2, 3" (2011). Draws depend on the seed and their number alone, not on threads. Immutable.
 */
final class PhiloxGenerator {
  private static final int ROUNDS = 10;
  private static final long FIRST = 0xD2511F53L;
  private static final long SECOND = 0xCD9E8D57L;
  private static final int FIRST_WEYL = 0x9E3779B9;
  private static final int SECOND_WEYL = 0xBB67AE85;
  private static final long LOW = 0xFFFFFFFFL;
  private static final double UNIT = 0x1p-53;

  private final int seed;

  PhiloxGenerator(float seed) {
    this.seed = Float.floatToIntBits(seed);
  }

  /** The 128 bits of a draw. */
  int[] bits(long draw) {
    int[] counter = {(int) draw, (int) (draw >>> 32), 0, 0};
    int key = seed;
    int otherKey = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long first = FIRST * (counter[0] & LOW);
      long second = SECOND * (counter[2] & LOW);
      counter = new int[] {(int) (second >>> 32) ^ counter[1] ^ key, (int) second, (int) (first >>> 32) ^ counter[3]
        ^ otherKey, (int) first};
      key += FIRST_WEYL;
      otherKey += SECOND_WEYL;
    }
    return counter;
  }

  /** A number from 0 to 1, without 1, all as likely. */
  double uniform(long draw) {
    int[] bits = bits(draw);
    return unit(bits[0], bits[1]);
  }

  /** A number of the normal distribution with mean 0 and deviation 1, after G. Box and M. Muller (1958). */
  double normal(long draw) {
    int[] bits = bits(draw);
    double radius = Math.sqrt(-2 * Math.log(1 - unit(bits[0], bits[1])));
    return radius * Math.cos(2 * Math.PI * unit(bits[2], bits[3]));
  }

  private static double unit(int high, int low) {
    return (((high & LOW) << 21) | ((low & LOW) >>> 11)) * UNIT;
  }
}
