package dev.cairn.testing;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How much of many similar cases a test tries. A test class that implements this interface tries some of them in each
 * build. A subclass with the tag {@code long}, which implements {@link AllRounds}, tries all of them.
 */
public interface Rounds {
  /** One of so many rounds is done in each build. */
  int PART = 5;

  /** How many of so many random rounds to do; at least one. Also for what a test expects of them. */
  default int rounds(int all) {
    return Math.ceilDiv(all, PART);
  }

  /** Which of several sizes to try: about every third one, among them the first and the last. */
  default int[] some(int... all) {
    return IntStream.range(0, all.length).filter(i -> i % 3 == 0 || i == all.length - 1).map(i -> all[i]).toArray();
  }

  /** As {@link #some(int...)}. */
  default long[] some(long... all) {
    return Arrays.stream(some(IntStream.range(0, all.length).toArray())).mapToLong(i -> all[i]).toArray();
  }
}
