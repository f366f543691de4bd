package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random calls, the same to the allocator and to a naive model: 48,000 in each build, 300,000 in a long one, and any
 * number on demand.
 */
class BfcDifferentialTest {
  private static final int FEW_CALLS = 8_000;
  private static final int CALLS = 50_000;
  /** How many calls the soak makes; each seed makes {@link #CALLS} of them. */
  private static final long SOAK_CALLS = Long.getLong("cairn.soak.calls", 100_000_000);

  static LongStream seeds() {
    return LongStream.range(0, 6);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyAnswerAndFigureIsThatOfTheNaiveModel(long seed) {
    requireAnswers(seed, FEW_CALLS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  @Tag("long")
  void everyAnswerAndFigureOfManyCallsIsThatOfTheNaiveModel(long seed) {
    requireAnswers(seed, CALLS);
  }

  private static void requireAnswers(long seed, int calls) {
    Duel duel = new Duel(seed, 150);
    duel.calls(calls, 200);
    duel.end();
  }

  /** Short, and everything is checked after every call: seeds that the long runs don't have. */
  @Test
  void theInvariantsHoldAfterEveryCall() {
    requireInvariants(1000, 1010);
  }

  @Test
  @Tag("long")
  void theInvariantsHoldAfterEveryCallOfSeveralSeeds() {
    requireInvariants(1010, 1030);
  }

  @Test
  @Tag("soak")
  void theInvariantsHoldAfterEveryCallOfMoreSeeds() {
    requireInvariants(1030, 1100);
  }

  private static void requireInvariants(long first, long end) {
    for (long seed = first; seed < end; seed++) {
      Duel duel = new Duel(seed, 40);
      duel.calls(300, 1);
      duel.end();
    }
  }

  /** Several chunks of one size are free, at every third look or more. */
  @Test
  void soIsEveryAnswerWhereManyOfFewSizesComeAndGo() {
    requireAnswersInTides(3000, 3001);
  }

  @Test
  @Tag("long")
  void soIsEveryAnswerInAnotherTide() {
    requireAnswersInTides(3001, 3002);
  }

  @Test
  @Tag("soak")
  void soIsEveryAnswerInMoreTides() {
    requireAnswersInTides(3002, 3010);
  }

  private static void requireAnswersInTides(long first, long end) {
    int withTrees = 0;
    for (long seed = first; seed < end; seed++) {
      Duel duel = new Duel(seed, 1000, 512);
      for (int tide = 0; tide < 12; tide++) {
        duel.tend(tide % 2 == 0 ? 90 : 25);
        duel.calls(1000, 250);
        BfcHeap heap = duel.allocator().heap;
        int root = heap.bins.root(SizeClasses.of(256));
        withTrees += root == ChunkTable.NONE || heap.chunks.isLeaf(root) ? 0 : 1;
      }
      duel.end();
    }
    assertThat(withTrees).isGreaterThan((int) (4 * (end - first)));
  }

  @Test
  @Tag("soak")
  void everyAnswerAndFigureOfAHundredMillionCalls() {
    for (long seed = 2000; (seed - 2000) * CALLS < SOAK_CALLS; seed++) {
      Duel duel = new Duel(seed, 60);
      duel.calls(CALLS, 1000);
      duel.end();
    }
  }
}
