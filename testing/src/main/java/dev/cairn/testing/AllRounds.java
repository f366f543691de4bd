package dev.cairn.testing;

/** All rounds of a test whose superclass does some of them in each build. */
public interface AllRounds extends Rounds {
  @Override
  default int rounds(int all) {
    return all;
  }

  @Override
  default int[] some(int... all) {
    return all;
  }

  @Override
  default long[] some(long... all) {
    return all;
  }
}
