package dev.cairn.testing;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How much of many similar cases a test tries. A test class that implements this interface tries some of them in each
 * build. A subclass with the tag {@code long}, which implements {@link AllRounds}, tries all of them.
 */
public interface Rounds {
  /** Returns a fifth of the random rounds, rounded up. A test scales the counts that it expects by it, too. */
  default int rounds(int all) {
    return Math.ceilDiv(all, 5);
  }

  /** Which of several sizes to try: about every third one, among them the first and the last. */
  default int[] some(int... all) {
    return IntStream.range(0, all.length).filter(i -> i % 3 == 0 || i == all.length - 1).map(i -> all[i]).toArray();
  }

  /** Like {@link #some(int...)}. */
  default long[] some(long... all) {
    return Arrays.stream(some(IntStream.range(0, all.length).toArray())).mapToLong(i -> all[i]).toArray();
  }
}
