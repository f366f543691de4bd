package dev.cairn.kernels.cpu.random;

/**
 * Random numbers by counter: Philox 4x32 with ten rounds, after J. Salmon and others, "Parallel random numbers: as easy
 * as 1, 2, 3" (2011). Element {@code i} of a tensor depends on seed, draw and {@code i} alone: not on threads, nor on
 * how the work is cut. Immutable.
 *
 * @param seed the key, the low word first
 * @param draw the number of one use of random numbers: the high half of the counter
 */
public record PhiloxGenerator(long seed, long draw) {
  private static final int ROUNDS = 10;
  private static final int WORDS = 4;
  private static final long FIRST = 0xD2511F53L;
  private static final long SECOND = 0xCD9E8D57L;
  private static final int FIRST_WEYL = 0x9E3779B9;
  private static final int SECOND_WEYL = 0xBB67AE85;
  private static final long LOW = 0xFFFFFFFFL;
  private static final double UNIT_24 = 0x1p-24;
  private static final double UNIT_53 = 0x1p-53;

  /** The four words of a block of the counter. */
  public int[] block(long number) {
    int[] counter = {(int) number, (int) (number >>> 32), (int) draw, (int) (draw >>> 32)};
    int key = (int) seed;
    int otherKey = (int) (seed >>> 32);
    for (int round = 0; round < ROUNDS; round++) {
      long first = FIRST * (counter[0] & LOW);
      long second = SECOND * (counter[2] & LOW);
      int one = counter[1];
      int three = counter[3];
      counter[0] = (int) (second >>> 32) ^ one ^ key;
      counter[1] = (int) second;
      counter[2] = (int) (first >>> 32) ^ three ^ otherKey;
      counter[3] = (int) first;
      key += FIRST_WEYL;
      otherKey += SECOND_WEYL;
    }
    return counter;
  }

  /** Numbers of 24 bits from 0 to 1, without 1: elements {@code first} and following. */
  public void uniform24(long first, double[] to, int count) {
    for (int i = 0; i < count;) {
      int[] words = block((first + i) / WORDS);
      for (int word = (int) ((first + i) % WORDS); word < WORDS && i < count; word++) {
        to[i++] = (words[word] >>> 8) * UNIT_24;
      }
    }
  }

  /** Numbers of 53 bits from 0 to 1, without 1. */
  public void uniform53(long first, double[] to, int count) {
    for (int i = 0; i < count;) {
      int[] words = block((first + i) / 2);
      for (int half = (int) ((first + i) % 2); half < 2 && i < count; half++) {
        to[i++] = (((words[2 * half] & LOW) >>> 5 << 26) + ((words[2 * half + 1] & LOW) >>> 6)) * UNIT_53;
      }
    }
  }

  /** Numbers of the normal distribution with mean 0 and deviation 1, two by two, after G. Box and M. Muller (1958). */
  public void normal(long first, double[] to, int count) {
    for (int i = 0; i < count;) {
      int[] words = block((first + i) / WORDS);
      for (int word = (int) ((first + i) % WORDS); word < WORDS && i < count; word++) {
        int pair = word & ~1;
        double radius = Math.sqrt(-2 * Math.log(((words[pair] >>> 8) + 1) * UNIT_24));
        double angle = 2 * Math.PI * ((words[pair + 1] >>> 8) * UNIT_24);
        to[i++] = radius * (word == pair ? Math.cos(angle) : Math.sin(angle));
      }
    }
  }
}
