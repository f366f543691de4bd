package dev.cairn.runtime.memory.recompute.exact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblems;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ResidentSetSearchTest {
  private static final int MOST_STATES = 4_000_000;

  @Test
  void findsWhatAllWordsFind() {
    compareWithAllWords(0, 300, 5);
  }

  @Test
  @Tag("soak")
  void findsWhatAllWordsFindOnTenThousandGraphs() {
    compareWithAllWords(1000, 10_000, 7);
  }

  private static void compareWithAllWords(long firstSeed, int count, int mostNodes) {
    for (long seed = firstSeed; seed < firstSeed + count; seed++) {
      Random random = new Random(seed);
      int nodes = 2 + random.nextInt(mostNodes - 1);
      RecomputeProblem problem = random.nextInt(4) == 0
        ? RecomputeProblems.randomTraining(seed, nodes / 2)
        : RecomputeProblems.random(seed, nodes);
      long floor = problem.floor().bytes();
      long peak = WordJudge.peak(problem, problem.givenOrder());
      long budget = floor + (peak - floor) * random.nextInt(5) / 5;
      Optional<Word> found = ResidentSetSearch.search(problem, budget, MOST_STATES).word();
      int longest = Math.max(found.map(Word::length).orElse(0), problem.nodes() + 1);
      long cheapest = EveryWord.cheapest(problem, budget, longest);
      assertThat(found.map(it -> WordJudge.cost(problem, it)).orElse(Long.MAX_VALUE)).as("seed %d", seed)
        .isEqualTo(cheapest);
      found.ifPresent(it -> assertThat(WordJudge.peak(problem, it)).isLessThanOrEqualTo(budget));
    }
  }

  /** Checkmate's linear graph: the least cost is (n + 1) + t(n + 1, m - 2). */
  @Test
  void findsTheClosedFormOnChains() {
    long[] printed = {45, 26, 22, 21, 20, 19, 18, 17};
    for (int m = 3; m <= 10; m++) {
      RecomputeProblem chain = RecomputeProblems.chain(8);
      Word word = ResidentSetSearch.search(chain, m, MOST_STATES).word().orElseThrow();
      assertThat(WordJudge.cost(chain, word)).as("m = %d", m).isEqualTo(printed[m - 3]);
    }
    assertThat(ResidentSetSearch.search(RecomputeProblems.chain(8), 2, MOST_STATES).word()).isEmpty();
  }

  @Test
  void saysWhenAProblemIsTooLarge() {
    assertThatThrownBy(() -> ResidentSetSearch.search(RecomputeProblems.chain(20), 5, 1000))
      .isInstanceOfSatisfying(TooLargeForExact.class, it -> assertThat(it.values()).isEqualTo(41));
    assertThat(ResidentSetSearch.search(RecomputeProblems.chain(12), 5, 1000))
      .isEqualTo(new ResidentSetSearch.Found(Optional.empty(), false));
    assertThat(ResidentSetSearch.search(RecomputeProblems.chain(12), 2, 1000).isProved()).isTrue();
  }

  @Test
  void anAnswerIsProvedOrSaysThatNoneIsWithinTheBudget() {
    RecomputeProblem chain = RecomputeProblems.chain(8);
    RecomputeAnswer answer = ResidentSetSearch.answer(chain, 4);
    assertThat(answer.isOptimal()).isTrue();
    assertThat(answer.cost()).isEqualTo(26);
    RecomputeAnswer none = ResidentSetSearch.answer(chain, 2);
    assertThat(none.fits()).isFalse();
    assertThat(none.word()).isEqualTo(chain.givenOrder());
  }
}
