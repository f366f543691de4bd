package dev.cairn.runtime.memory.planner.inductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Conflicts;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.ProblemCsv;
import dev.cairn.runtime.memory.SmallStack;
import dev.cairn.runtime.memory.planner.RecordedProblems;
import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AllocationTreePlannerTest {
  /** First step, last step, bytes. The problems that TVM tests its planners with, by their names there. */
  private static final int[][] ALLOC_MAX = {{0, 159, 2048}, {0, 13, 7904}, {4, 35, 16}, {12, 17, 32768},
    {16, 21, 32768}};
  private static final int[][] FIVE = {{4, 5, 95}, {1, 4, 52135}, {3, 4, 12136}, {3, 5, 62099}, {4, 5, 50458}};
  private static final int[][] SIMPLE = {{0, 23, 131072}, {4, 5, 65568}, {4, 9, 8192}, {8, 30, 15360},
    {10, 11, 65568}, {10, 15, 4096}, {16, 17, 65552}, {16, 21, 2048}, {22, 23, 32784}, {22, 27, 1024}};

  @Test
  void goldensOfTheSmallProblems() {
    assertThat(counted(ALLOC_MAX, 1)).isEqualTo(67_600);
    assertThat(counted(ALLOC_MAX, 64)).isEqualTo(67_664);
    assertThat(counted(FIVE, 1)).isEqualTo(176_923);
    assertThat(counted(FIVE, 64)).isEqualTo(177_055);
    assertThat(counted(SIMPLE, 1)).isEqualTo(220_192);
    assertThat(counted(SIMPLE, 64)).isEqualTo(220_288);
  }

  @Test
  void goldensOfDeepSpeech() {
    assertThat(counted(DeepSpeech.rows(), 1)).isEqualTo(165_888);
    assertThat(counted(DeepSpeech.rows(), 64)).isEqualTo(166_336);
  }

  /** A chain of 29 and one that lives throughout: TFLite Micro's person detection. */
  @Test
  void goldensOfPersonDetection() {
    int[] bytes = {3, 256, 2304, 2304, 2304, 1152, 4608, 4608, 4608, 4608, 4608, 4608, 4608, 4608, 4608, 4608, 4608,
      2304, 9216, 9216, 9216, 4608, 18432, 18432, 18432, 9216, 36864, 18432, 18432};
    List<int[]> rows = new ArrayList<>(List.of(new int[] {0, 29, 9216}));
    for (int i = 0; i < bytes.length; i++) {
      rows.add(new int[] {28 - i, 29 - i, bytes[i]});
    }
    assertThat(counted(rows.toArray(int[][]::new), 1)).isEqualTo(69_120);
    assertThat(counted(rows.toArray(int[][]::new), 64)).isEqualTo(69_184);
  }

  /** What room stays empty is given back in the plan, so that it may take less than the goldens. */
  @Test
  void thePlanTakesNoMoreThanWasCounted() {
    for (int[][] rows : List.of(ALLOC_MAX, FIVE, SIMPLE, DeepSpeech.rows())) {
      MemoryProblem problem = problem(rows);
      for (long alignment : new long[] {1, 64}) {
        MemoryPlan plan = new AllocationTreePlanner(new PoolOptions(PoolMode.INTERMEDIATES, alignment)).plan(problem);
        PlanValidator.requireValid(problem, plan);
        assertThat(plan.peakBytes()).isBetween(counted(rows, alignment) - 512, counted(rows, alignment));
      }
    }
  }

  @Test
  void theMeasuredRatioOfARealNetwork() throws IOException {
    assertThat(ratio("idealloc/resnet50.csv")).isEqualTo("1.0066");
  }

  @Test
  @Tag("long")
  void theMeasuredTableOfRealNetworks() throws IOException {
    assertThat(ratio("idealloc/G_1.csv")).isEqualTo("1.0043");
    assertThat(ratio("idealloc/pangu_2.6B.csv")).isEqualTo("1.2742");
  }

  @Test
  @Tag("long")
  void theMeasuredTableOfTheChallengingSets() throws IOException {
    List<String> ratios = new ArrayList<>();
    for (String letter : List.of("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K")) {
      ratios.add(ratio(RecordedProblems.challenging(letter)).substring(0, 4));
    }
    assertThat(ratios.stream().min(String::compareTo)).hasValue("1.58");
    assertThat(ratios.stream().max(String::compareTo)).hasValue("3.08");
  }

  /** Each lies at the end behind all others: the tree is as deep as there are buffers. */
  @Test
  void thousandsOfBuffersAllLiveAtOnce() throws Exception {
    SmallStack.run(() -> requireAllAtOnce(4_000));
  }

  @Test
  @Tag("long")
  void twentyThousandBuffersAllLiveAtOnce() {
    requireAllAtOnce(20_000);
  }

  private static void requireAllAtOnce(int count) {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      buffers.add(Buffer.of("b" + i, 30_000 - i, new Lifetime(0, 1)));
    }
    MemoryProblem problem = new MemoryProblem(buffers);
    assertThat(AllocationTreePlanner.INTERMEDIATES.plan(problem).peakBytes()).isEqualTo(problem.unsharedBytes());
  }

  @Test
  void thousandsOfRandomBuffers() {
    requireRandom(3_000);
  }

  @Test
  @Tag("long")
  void twentyThousandRandomBuffers() {
    requireRandom(20_000);
  }

  private static void requireRandom(int count) {
    Random random = new Random(7);
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int first = random.nextInt(count / 2);
      buffers.add(Buffer.of("b" + i, 1 + random.nextInt(1_000_000),
        new Lifetime(first, first + 1 + random.nextInt(random.nextInt(10) == 0 ? 3_000 : 20))));
    }
    MemoryProblem problem = new MemoryProblem(buffers);
    PlanValidator.requireValid(problem, AllocationTreePlanner.INTERMEDIATES.plan(problem));
  }

  @Test
  void buffersInConflictAreKeptApartThoughNeverLiveTogether() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("a", 8, new Lifetime(0, 2)), Buffer.of("b", 8,
      new Lifetime(4, 6)), Buffer.of("c", 8, new Lifetime(7, 8)));
    MemoryProblem apart = problem.with(new Conflicts.Builder().add(1, 0).build());
    for (PoolMode mode : PoolMode.values()) {
      assertThat(AllocationTreePlanner.of(mode).plan(problem).peakBytes()).as("%s", mode).isEqualTo(8);
      MemoryPlan plan = PlanValidator.requireValid(apart, AllocationTreePlanner.of(mode).plan(apart));
      assertThat(plan.peakBytes()).as("%s in conflict", mode).isEqualTo(16);
    }
  }

  @Test
  void thousandsOfSymbolicBuffers() {
    requireSymbolic(2_000);
  }

  @Test
  @Tag("soak")
  void twentyThousandSymbolicBuffers() {
    requireSymbolic(20_000);
  }

  private static void requireSymbolic(int count) {
    SymbolicSize s0 = SymbolicSize.dimension("s0", 8);
    SymbolicSize s1 = SymbolicSize.dimension("s1", 128);
    Random random = new Random(3);
    Lines lines = new Lines();
    for (int i = 0; i < count; i++) {
      lines.allocate("b" + i, (random.nextBoolean() ? s0 : s0.times(s1)).times(4L * (1 + random.nextInt(64)))).kernel();
      if (i >= 10) {
        lines.free("b" + (i - 10 + random.nextInt(1)));
      }
    }
    PooledProgram pooled = lines.pooled(PoolMode.INTERMEDIATES, 64);
    Map<String, Long> lengths = Map.of("s0", 3L, "s1", 77L);
    PlanValidator.requireValid(pooled.problem(lengths), pooled.plan(lengths));
  }

  private static String ratio(String file) throws IOException {
    MemoryProblem problem = ProblemCsv.read(RecordedProblems.file(file));
    MemoryPlan plan = AllocationTreePlanner.INTERMEDIATES.plan(problem);
    return String.format(Locale.ROOT, "%.4f", PlanScore.of(problem, plan).ratio());
  }

  private static long counted(int[][] rows, long alignment) {
    MemoryProblem problem = problem(rows);
    AllocationPools pools = new AllocationPools(new PoolOptions(PoolMode.INTERMEDIATES, alignment));
    pools.allocateAll(AllocationTreePlanner.allocations(problem));
    return pools.layouts().stream().mapToLong(TreeLayout::countedBytes).sum();
  }

  private static MemoryProblem problem(int[][] rows) {
    List<Buffer> buffers = new ArrayList<>();
    for (int[] row : rows) {
      buffers.add(Buffer.of("b" + buffers.size(), row[2], new Lifetime(row[0], row[1] + 1)));
    }
    return new MemoryProblem(buffers);
  }
}
