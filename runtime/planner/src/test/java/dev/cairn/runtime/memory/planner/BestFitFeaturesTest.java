package dev.cairn.runtime.memory.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.PlacementUnit;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Conflicts;
import dev.cairn.runtime.memory.ContiguousGroup;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.RandomProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Best fit with fixed offsets, gaps, devices, groups and conflicts. */
class BestFitFeaturesTest {
  @Test
  void plainProblemsGetTheSamePlanWithAndWithoutTheShortCut() {
    for (long seed = 0; seed < 64; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      for (BestFitPlanner planner : BestFitPortfolio.ALL.planners()) {
        assertThat(planner.planConstrained(problem)).as("seed %d %s", seed, planner.name())
          .isEqualTo(planner.plan(problem));
      }
    }
  }

  /** First fit against trying every base at which a unit could begin. */
  @Test
  void firstFitIsTheLowestBaseOfAllThatAreFree() {
    requireFirstFit(0, 40);
  }

  @Test
  @Tag("long")
  void firstFitIsTheLowestBaseOfAllThatAreFreeInManyProblems() {
    requireFirstFit(40, 150);
  }

  private static void requireFirstFit(long from, long to) {
    for (long seed = from; seed < to; seed++) {
      MemoryProblem problem = RandomProblems.constrained(seed);
      for (PlacementOrder order : PlacementOrder.values()) {
        assertThat(offsets(new BestFitPlanner(order, GapChoice.LOWEST).plan(problem))).as("seed %d %s", seed, order)
          .isEqualTo(firstFit(problem, order));
      }
    }
  }

  @Test
  void eachDeviceHasItsArena() {
    MemoryPlan plan = plan(MemoryProblem.of(buffer(10, 0, 5).onDevice(3), buffer(20, 0, 5), buffer(30, 0, 5).onDevice(3)
      .withAlignment(16)));
    assertThat(plan.pools()).containsExactly(new Pool(20, 1, 0), new Pool(42, 16, 3));
    assertThat(plan.placements()).containsExactly(new Placement(1, 32), new Placement(0, 0), new Placement(1, 0));
  }

  @Test
  void whatIsFixedComesFirstAndOthersGoAround() {
    MemoryProblem problem = MemoryProblem.of(buffer(100, 0, 5), buffer(10, 0, 5).withFixedOffset(20),
      buffer(15, 0, 5), buffer(50, 7, 8).withFixedOffset(0));
    assertThat(offsets(plan(problem))).containsExactly(30, 20, 0, 0);
  }

  /** In XLA, colocated values are one buffer; between their lives it has a gap. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "a40 in 0-1 and 4-5, b20 in 2-3           | 40,0,5,1-4 20,2,3,         | 40 | 0 0",
    "a40 in 0-1 and 3-6, b20 in 2-5           | 40,0,6,1-3 20,2,5,         | 60 | 0 40",
    "a10 in 0-1 and 4-5, b30 in 2-5           | 10,0,5,1-4 30,2,5,         | 40 | 30 0",
    "a40 in 0-1 with c30 of its bytes in 3-6  | 40,0,6,1-3 20,2,5,         | 60 | 0 40",
    "a40 in 0-1 with c50 of its bytes in 3-6  | 50,0,6,1-3 20,2,5,         | 70 | 0 50"})
  void colocatedHeapsOfXla(String what, String buffers, long heap, String offsets) {
    MemoryPlan plan = plan(gapped(buffers));
    assertThat(plan.peakBytes()).as(what).isEqualTo(heap);
    assertThat(offsets(plan)).as(what).isEqualTo(longs(offsets));
  }

  /**
   * USMP states conflicts alone: here each buffer has a step of its own and all the rest is conflicts. Of its fan-out,
   * where some pairs are stated by one of the two only, those that its greedy by size looks at.
   */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "linear  | 10 20 100 40 50 50    | 0-1 1-2 2-3 3-4 4-5                                   | 140",
    "fan-out | 10 20 100 40 50 60 70 | 0-1 0-2 1-2 1-4 2-3 2-4 3-4 3-5 4-5                   | 190",
    "equal   | 10 10 10              | 0-1 1-2 0-2                                           | 30"})
  void workspacesOfUsmp(String what, String sizes, String pairs, long workspace) {
    List<Buffer> buffers = new ArrayList<>();
    for (long bytes : longs(sizes)) {
      buffers.add(Buffer.of("b" + buffers.size(), bytes, new Lifetime(buffers.size(), buffers.size() + 1)));
    }
    var conflicts = new Conflicts.Builder();
    for (String pair : List.of(pairs.strip().split(" +"))) {
      conflicts.add(pair.charAt(0) - '0', pair.charAt(2) - '0');
    }
    MemoryProblem problem = new MemoryProblem(buffers).with(conflicts.build());
    assertThat(plan(problem).peakBytes()).as(what).isEqualTo(workspace);
    for (int i = 0; i < 10; i++) {
      assertThat(plan(problem)).as(what).isEqualTo(plan(problem));
    }
  }

  /** ONNX Runtime places as the run goes: 1024, 256, 512, 1024; 256 freed, 512; the second 1024 freed, 600, 200. */
  @Test
  void patternOfOnnxRuntime() {
    MemoryProblem problem = gapped("1024,0,9, 256,1,4, 512,2,9, 1024,3,6, 512,4,9, 600,6,9, 200,7,9,");
    MemoryPlan plan = new BestFitPlanner(PlacementOrder.START, GapChoice.SMALLEST).plan(problem);
    assertThat(offsets(plan)).isEqualTo(longs("0 1024 1280 1792 2816 1792 1024"));
    assertThat(plan.peakBytes()).isEqualTo(3328);
  }

  /** Those of MiniMalloc's feasible sets that best fit solves; the capacity is the lower bound, but for alignment. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "one buffer               | 2,0,2,                               | 2",
    "two buffers              | 2,0,2, 2,1,3,                        | 4",
    "two partitions           | 2,0,2, 2,1,3, 2,3,5, 2,4,6,          | 4",
    "life gaps                | 2,0,4,1-3 2,1,3,                     | 2"})
  void setsOfMinimalloc(String what, String buffers, long capacity) {
    MemoryProblem problem = gapped(buffers);
    MemoryPlan plan = PlanValidator.requireValid(problem, BestFitPortfolio.ALL.plan(problem));
    assertThat(plan.peakBytes()).as(what).isEqualTo(capacity).isEqualTo(LowerBound.of(problem).bytes());
  }

  @Test
  void alignmentOfMinimalloc() {
    MemoryProblem even = MemoryProblem.of(buffer(1, 0, 2).withAlignment(2), buffer(1, 0, 2).withAlignment(2));
    assertThat(plan(even).peakBytes()).isEqualTo(4);
  }

  /** Two pieces of three cells: L and its mirror image. Each is two strips that lie one above the other. */
  @Test
  void tetrisOfMinimalloc() {
    List<Buffer> strips = List.of(buffer(1, 0, 10), buffer(1, 5, 10), buffer(1, 0, 5), buffer(1, 0, 10));
    MemoryProblem problem = new MemoryProblem(strips, List.of(ContiguousGroup.of(0, 1), ContiguousGroup.of(2, 3)),
      Conflicts.NONE);
    assertThat(plan(problem).peakBytes()).isEqualTo(3);
  }

  @Test
  void whatMinimallocCannotFitIsAboveTheBound() {
    assertThat(LowerBound.of(gapped("3,0,2,")).bytes()).isGreaterThan(2);
    assertThat(LowerBound.of(gapped("2,0,2, 2,0,2,")).bytes()).isGreaterThan(3);
    MemoryProblem fixed = gapped("1,1,2, 1,0,2, 2,2,3, 1,1,3, 2,0,1,");
    List<Buffer> moved = new ArrayList<>(fixed.buffers());
    moved.set(0, moved.getFirst().withFixedOffset(1));
    assertThat(plan(new MemoryProblem(moved)).placements().getFirst().offset()).isEqualTo(1);
  }

  /** The person detection example of TensorFlow Lite Micro: its longest list, to the lower bound. */
  @Test
  void personDetectionOfTensorFlowLiteMicro() {
    long[] sizes = longs("18432 18432 36864 9216 18432 18432 18432 4608 9216 9216 9216 2304 4608 4608 4608 4608 4608 "
      + "4608 4608 4608 4608 4608 4608 1152 2304 2304 2304 256 3");
    List<Buffer> buffers = new ArrayList<>(List.of(buffer(9216, 0, 30)));
    for (int i = 0; i < sizes.length; i++) {
      buffers.add(buffer(sizes[i], i, i + 2));
    }
    MemoryProblem problem = new MemoryProblem(buffers);
    assertThat(problem.unsharedBytes()).isEqualTo(241_027);
    assertThat(plan(problem).peakBytes()).isEqualTo(64_512).isEqualTo(LowerBound.of(problem).bytes());
  }

  private static long[] firstFit(MemoryProblem problem, PlacementOrder order) {
    List<PlacementUnit> units = problem.units();
    long[] offsets = new long[problem.size()];
    List<Integer> placed = new ArrayList<>();
    for (PlacementUnit unit : units) {
      unit.fixedBase().ifPresent(base -> {
        unit.place(base, offsets);
        IntStream.of(unit.buffers()).forEach(placed::add);
      });
    }
    for (int index : order.sequence(problem, units)) {
      PlacementUnit unit = units.get(index);
      if (unit.fixedBase().isEmpty()) {
        LongStream tops = placed.stream().flatMapToLong(i -> IntStream.range(0, unit.size())
          .mapToLong(member -> offsets[i] + problem.buffer(i).reservedBytes() - unit.start(member)));
        long base = LongStream.concat(LongStream.of(0), tops).filter(address -> address >= 0).map(unit::lowestBase)
          .sorted().filter(candidate -> isFree(problem, unit, candidate, offsets, placed)).findFirst().orElseThrow();
        unit.place(base, offsets);
        IntStream.of(unit.buffers()).forEach(placed::add);
      }
    }
    return offsets;
  }

  private static boolean isFree(MemoryProblem problem, PlacementUnit unit, long base, long[] offsets,
    List<Integer> placed) {
    return IntStream.range(0, unit.size()).allMatch(member -> placed.stream().noneMatch(other -> {
      int buffer = unit.buffer(member);
      long start = base + unit.start(member);
      return problem.conflicts(buffer, other) && start < offsets[other] + problem.buffer(other).reservedBytes()
        && offsets[other] < start + problem.buffer(buffer).reservedBytes();
    }));
  }

  private static MemoryPlan plan(MemoryProblem problem) {
    return PlanValidator.requireValid(problem, BestFitPlanner.BY_SIZE.plan(problem));
  }

  private int made;

  private Buffer buffer(long bytes, int first, int end) {
    return Buffer.of("b" + made++, bytes, new Lifetime(first, end));
  }

  /** Words of the form {@code bytes,first,end,gap}, with the gap as {@code lower-upper} or nothing. */
  private MemoryProblem gapped(String text) {
    List<Buffer> buffers = new ArrayList<>();
    for (String word : List.of(text.strip().split(" +"))) {
      String[] parts = word.split(",", -1);
      Buffer buffer = buffer(Long.parseLong(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
      if (!parts[3].isEmpty()) {
        long[] gap = longs(parts[3].replace('-', ' '));
        buffer = buffer.withGaps(List.of(new Lifetime((int) gap[0], (int) gap[1])));
      }
      buffers.add(buffer);
    }
    return new MemoryProblem(buffers);
  }

  private static long[] offsets(MemoryPlan plan) {
    return plan.placements().stream().mapToLong(Placement::offset).toArray();
  }

  private static long[] longs(String text) {
    return Stream.of(text.strip().split(" +")).mapToLong(Long::parseLong).toArray();
  }
}
