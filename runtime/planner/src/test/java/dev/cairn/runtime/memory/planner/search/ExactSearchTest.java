package dev.cairn.runtime.memory.planner.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.ContiguousGroup;
import dev.cairn.runtime.memory.Conflicts;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.RandomProblems;
import dev.cairn.runtime.memory.SmallStack;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ExactSearchTest {
  private static final ExactSearch FROM_NAIVE = new ExactSearch(NaivePlanner.ARENA, SearchRules.ALL);
  private static final ExactSearch FROM_GREEDY = new ExactSearch(BestFitPortfolio.ALL, SearchRules.ALL);
  private static final SearchBudget PLENTY = SearchBudget.ofSteps(50_000_000);

  @Test
  void smallPlainProblemsGetTheirOptimum() {
    assertPlainOptima(0, 200);
    assertOptimum(-1, tricky());
  }

  @Test
  @Tag("long")
  void manySmallPlainProblemsGetTheirOptimum() {
    assertPlainOptima(200, 1_200);
  }

  private static void assertPlainOptima(long from, long to) {
    for (long seed = from; seed < to; seed++) {
      assertOptimum(seed, SmallProblems.plain(seed));
    }
  }

  @Test
  void smallConstrainedProblemsGetTheirOptimum() {
    assertConstrainedOptima(0, 200);
  }

  @Test
  @Tag("long")
  void manySmallConstrainedProblemsGetTheirOptimum() {
    assertConstrainedOptima(200, 1_200);
  }

  private static void assertConstrainedOptima(long from, long to) {
    int aboveBound = 0;
    for (long seed = from; seed < to; seed++) {
      MemoryProblem problem = SmallProblems.constrained(seed);
      assertOptimum(seed, problem);
      aboveBound += BruteForce.height(problem) > LowerBound.of(problem).bytes() ? 1 : 0;
    }
    assertThat(aboveBound).isGreaterThan((int) (to - from) / 60);
  }

  @Test
  void everyRuleOffGivesTheSameVerdict() {
    assertSameVerdict(0, 80);
  }

  @Test
  @Tag("long")
  void everyRuleOffGivesTheSameVerdictOfManyProblems() {
    assertSameVerdict(80, 400);
  }

  private static void assertSameVerdict(long from, long to) {
    for (long seed = from; seed < to; seed++) {
      MemoryProblem problem = SmallProblems.constrained(seed);
      long optimum = BruteForce.height(problem);
      for (int off = 0; off < 6; off++) {
        SearchRules rules = new SearchRules(off != 0, off != 1, off != 2, off != 3, off != 4);
        rules = off == 5 ? new SearchRules(false, false, false, false, false) : rules;
        ExactSearch search = new ExactSearch(NaivePlanner.ARENA, rules);
        SearchResult result = search.minimise(problem, PLENTY);
        assertThat(result.plan().peakBytes()).as("seed %d %s", seed, rules).isEqualTo(optimum);
        assertThat(result.provenBytes()).as("seed %d %s", seed, rules).isEqualTo(optimum);
      }
    }
  }

  @Test
  void fitStopsAtTheCapacityOrShowsThatNothingFits() {
    for (long seed = 0; seed < 200; seed++) {
      MemoryProblem problem = SmallProblems.constrained(seed);
      long optimum = BruteForce.height(problem);
      for (long capacity = Math.max(0, optimum - 2); capacity <= optimum + 2; capacity++) {
        SearchResult result = FROM_NAIVE.fit(problem, capacity, PLENTY);
        PlanValidator.requireValid(problem, result.plan());
        assertThat(result.fits(capacity)).as("seed %d capacity %d", seed, capacity).isEqualTo(capacity >= optimum);
        assertThat(result.isImpossible(capacity)).as("seed %d capacity %d", seed, capacity)
          .isEqualTo(capacity < optimum);
        assertThat(result.provenBytes()).isLessThanOrEqualTo(optimum);
      }
    }
  }

  @Test
  void problemsOfAllKindsNeverGetWorseThanWhatWasBegunWith() {
    SearchBudget little = SearchBudget.ofSteps(20_000);
    for (long seed = 0; seed < 96; seed++) {
      MemoryProblem problem = RandomProblems.constrained(seed);
      SearchResult result = FROM_GREEDY.minimise(problem, little);
      PlanValidator.requireValid(problem, result.plan());
      assertThat(result.plan().peakBytes()).isLessThanOrEqualTo(BestFitPortfolio.ALL.plan(problem).peakBytes())
        .isGreaterThanOrEqualTo(result.provenBytes());
      assertThat(result.provenBytes()).isGreaterThanOrEqualTo(LowerBound.of(problem).bytes());
    }
  }

  @Test
  void withoutABudgetTheStartIsTheAnswer() {
    MemoryProblem problem = tricky();
    SearchResult result = FROM_NAIVE.minimise(problem, SearchBudget.ofSteps(0));
    assertThat(result.plan()).isEqualTo(NaivePlanner.ARENA.plan(problem));
    assertThat(result.isOptimal()).isFalse();
    assertThat(result.provenBytes()).isEqualTo(4);
  }

  @Test
  void aTimeBudgetEnds() {
    SearchResult result = FROM_GREEDY.minimise(tall(300), SearchBudget.ofNanos(1));
    assertThat(result.plan().peakBytes()).isPositive();
  }

  @Test
  void sameStepsSameResult() {
    for (int size : new int[] {20, 60, 150}) {
      MemoryProblem problem = tall(size);
      SearchBudget budget = SearchBudget.ofSteps(2_000_000);
      assertThat(FROM_GREEDY.minimise(problem, budget)).isEqualTo(FROM_GREEDY.minimise(problem, budget));
    }
  }

  @Test
  void aSearchAsDeepAsThereAreBuffersNeedsNoDeepStack() throws Exception {
    SmallStack.run(() -> assertDeep(2_000));
  }

  @Test
  @Tag("long")
  void aSearchAsDeepAsFiveThousandBuffersEnds() {
    assertDeep(5_000);
  }

  private static void assertDeep(int buffers) {
    MemoryProblem problem = new MemoryProblem(IntStream.range(0, buffers)
      .mapToObj(i -> Buffer.of("b" + i, 2 + i % 3, new Lifetime(i, i + 3))).toList());
    SearchResult result = FROM_NAIVE.minimise(problem, SearchBudget.ofSteps(100_000_000));
    PlanValidator.requireValid(problem, result.plan());
    assertThat(result.plan().peakBytes()).isLessThan(20);
  }

  @Test
  void devicesEachGetTheirOwnOptimum() {
    List<Buffer> buffers = new ArrayList<>();
    for (Buffer buffer : tricky().buffers()) {
      buffers.add(buffer);
      buffers.add(new Buffer("on1" + buffer.name(), buffer.bytes() * 10, buffer.lifetime(), 1, "", true, false,
        buffer.constraints()).onDevice(1));
    }
    MemoryProblem problem = new MemoryProblem(buffers);
    SearchResult result = FROM_NAIVE.minimise(problem, PLENTY);
    PlanValidator.requireValid(problem, result.plan());
    assertThat(result.plan().peakBytes()).isEqualTo(55);
    assertThat(result.isOptimal()).isTrue();
    assertThatThrownBy(() -> FROM_NAIVE.fit(problem, 10, PLENTY)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("devices=2");
  }

  /** Where sizes have no common divisor to speak of, bounds do not go up by it step by step. */
  @Test
  void hugeSizesGetTheirOptimumToo() {
    MemoryProblem problem = MemoryProblem.of(
      buffer(0, 234_111_573_970_176_978L, 20, 27).withAlignment(4)
        .withGaps(List.of(new Lifetime(23, 25), new Lifetime(26, 27))),
      buffer(1, 814_287_762_833_531_238L, 6, 24).withAlignment(1L << 32).withFixedOffset(234_111_576_313_954_304L),
      buffer(2, 646_909_378_476_613_786L, 3, 11).withAlignment(1L << 48));
    SearchResult result = FROM_GREEDY.minimise(problem, SearchBudget.ofSteps(100_000));
    assertThat(result.plan().peakBytes()).isEqualTo(BruteForce.height(problem));
    assertThat(result.isOptimal()).isTrue();
  }

  @Test
  void whatIsInNobodysWayLiesAtTheBottom() {
    for (long seed = 0; seed < 100; seed++) {
      MemoryProblem plain = SmallProblems.plain(seed);
      List<Buffer> buffers = new ArrayList<>(plain.buffers());
      buffers.add(Buffer.of("nothing", 0, new Lifetime(0, 3)));
      buffers.add(Buffer.of("never", 1, new Lifetime(0, 3)).withGaps(List.of(new Lifetime(0, 3))));
      assertThat(FROM_NAIVE.minimise(new MemoryProblem(buffers), PLENTY).plan().peakBytes()).as("seed %d", seed)
        .isEqualTo(BruteForce.height(plain));
    }
  }

  @Test
  void groupsKeepTheStart() {
    MemoryProblem problem = new MemoryProblem(tricky().buffers(), List.of(ContiguousGroup.of(0, 4)), Conflicts.NONE);
    SearchResult result = FROM_GREEDY.minimise(problem, PLENTY);
    assertThat(result.plan()).isEqualTo(BestFitPortfolio.ALL.plan(problem));
  }

  /** Seven buffers, at most 4 bytes at a time, that need 5. */
  static MemoryProblem tricky() {
    return MemoryProblem.of(buffer(0, 2, 5, 7), buffer(1, 2, 4, 6), buffer(2, 1, 1, 4), buffer(3, 2, 0, 3),
      buffer(4, 1, 2, 5), buffer(5, 2, 0, 1), buffer(6, 1, 3, 5));
  }

  static Buffer buffer(int number, long bytes, int first, int end) {
    return Buffer.of("b" + number, bytes, new Lifetime(first, end));
  }

  private static MemoryProblem tall(int size) {
    Random random = new Random(size);
    return new MemoryProblem(IntStream.range(0, size).mapToObj(i -> {
      int first = random.nextInt(size);
      return buffer(i, 1 + random.nextInt(100), first, first + 1 + random.nextInt(20));
    }).toList());
  }

  private static void assertOptimum(long seed, MemoryProblem problem) {
    SearchResult result = FROM_NAIVE.minimise(problem, PLENTY);
    PlanValidator.requireValid(problem, result.plan());
    assertThat(result.plan().peakBytes()).as("seed %d\n%s", seed, problem).isEqualTo(BruteForce.height(problem));
    assertThat(result.isOptimal()).as("seed %d", seed).isTrue();
  }
}
