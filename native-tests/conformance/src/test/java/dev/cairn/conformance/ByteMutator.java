package dev.cairn.conformance;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Damages files byte by byte. */
final class ByteMutator {
  /** What texts are made of. */
  private static final String MARKS = "0127(){}[],.:'\"- \n\0";

  private final SplittableRandom random;

  ByteMutator(SplittableRandom random) {
    this.random = random;
  }

  /** Changes, cuts, repeats or inserts some bytes. */
  byte[] mutated(byte[] of) {
    if (of.length == 0) {
      return of;
    }
    int at = random.nextInt(of.length);
    int count = random.nextInt(1, Math.min(9, of.length - at + 1));
    return switch (random.nextInt(5)) {
      case 0 -> spliced(of, at, at + count, new byte[0]);
      case 1 -> spliced(of, at, at, Arrays.copyOfRange(of, at, at + count));
      case 2 -> spliced(of, at, at, noise(count));
      case 3 -> Arrays.copyOf(of, at);
      default -> spliced(of, at, at + count, noise(count));
    };
  }

  private byte[] noise(int count) {
    byte[] noise = new byte[count];
    for (int i = 0; i < count; i++) {
      int any = random.nextInt(256);
      noise[i] = (byte) (random.nextBoolean() ? any : MARKS.charAt(any % MARKS.length()));
    }
    return noise;
  }

  private static byte[] spliced(byte[] of, int from, int to, byte[] instead) {
    byte[] all = new byte[of.length - (to - from) + instead.length];
    System.arraycopy(of, 0, all, 0, from);
    System.arraycopy(instead, 0, all, from, instead.length);
    System.arraycopy(of, to, all, from + instead.length, of.length - to);
    return all;
  }
}
