package dev.cairn.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A problem, a plan, a verdict. */
class PlanValidatorTest {
  /** a and b meet at step 2; c begins as a ends. */
  private static final MemoryProblem ABC = MemoryProblem.of(Buffer.of("a", 10, new Lifetime(0, 3)),
    Buffer.of("b", 20, new Lifetime(2, 5)), Buffer.of("c", 10, new Lifetime(3, 4)));
  private static final MemoryProblem ALIGNED = MemoryProblem.of(
    Buffer.of("x", 10, new Lifetime(0, 1)).withAlignment(16), Buffer.of("y", 16, new Lifetime(0, 1)).withAlignment(8));

  @Test
  void goodPlans() {
    assertThat(verdict(ABC, pools(30), at(0, 0), at(0, 10), at(0, 0))).isEmpty();
    assertThat(verdict(ABC, pools(30, 0), at(0, 20), at(0, 0), at(0, 20))).isEmpty();
    assertThat(verdict(ABC, pools(10, 20), at(0, 0), at(1, 0), at(0, 0))).isEmpty();
    assertThat(verdict(ABC, pools(99), at(0, 7), at(0, 50), at(0, 80))).isEmpty();
    assertThat(verdict(ALIGNED, List.of(new Pool(32, 16)), at(0, 0), at(0, 16))).isEmpty();
    assertThat(verdict(MemoryProblem.of(), List.of())).isEmpty();
  }

  @Test
  void overlap() {
    assertThat(verdict(ABC, pools(40), at(0, 0), at(0, 9), at(0, 30))).containsExactly(
      "overlap: first=a second=b pool=0 step=2");
    assertThat(verdict(ABC, pools(40), at(0, 29), at(0, 10), at(0, 0))).containsExactly(
      "overlap: first=a second=b pool=0 step=2");
    assertThat(verdict(ABC, pools(40), at(0, 12), at(0, 10), at(0, 15))).containsExactly(
      "overlap: first=a second=b pool=0 step=2", "overlap: first=b second=c pool=0 step=3");
  }

  @Test
  void overlapNamesTheLowerIndexFirst() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("later", 1, new Lifetime(5, 9)),
      Buffer.of("earlier", 1, new Lifetime(0, 6)));
    assertThat(verdict(problem, pools(1), at(0, 0), at(0, 0))).containsExactly(
      "overlap: first=later second=earlier pool=0 step=5");
  }

  @Test
  void negativeOffset() {
    assertThat(verdict(ABC, pools(30), at(0, -1), at(0, 10), at(0, 0))).containsExactly(
      "negative offset: buffer=a offset=-1");
    assertThat(verdict(ABC, pools(30), at(0, Long.MIN_VALUE), at(0, 10), at(0, 0))).containsExactly(
      "negative offset: buffer=a offset=-9223372036854775808");
  }

  @Test
  void misaligned() {
    assertThat(verdict(ALIGNED, List.of(new Pool(64, 16)), at(0, 8), at(0, 32))).containsExactly(
      "misaligned: buffer=x offset=8 alignment=16");
    assertThat(verdict(ALIGNED, List.of(new Pool(64, 16)), at(0, 0), at(0, 28))).containsExactly(
      "misaligned: buffer=y offset=28 alignment=8");
  }

  @Test
  void poolLessAlignedThanItsBuffer() {
    assertThat(verdict(ALIGNED, List.of(new Pool(64, 8)), at(0, 0), at(0, 16))).containsExactly(
      "pool less aligned than its buffer: buffer=x pool=0 poolAlignment=8 alignment=16");
  }

  @Test
  void paddingBelongsToTheBuffer() {
    assertThat(verdict(ALIGNED, List.of(new Pool(64, 16)), at(0, 0), at(0, 8))).containsExactly(
      "overlap: first=x second=y pool=0 step=0");
    assertThat(verdict(ALIGNED, List.of(new Pool(26, 16)), at(0, 16), at(0, 0))).containsExactly(
      "out of pool: buffer=x offset=16 reservedBytes=16 poolBytes=26");
  }

  @Test
  void poolTooSmallOrOffsetTooGreat() {
    assertThat(verdict(ABC, pools(29), at(0, 0), at(0, 10), at(0, 0))).containsExactly(
      "out of pool: buffer=b offset=10 reservedBytes=20 poolBytes=29");
    assertThat(verdict(ABC, pools(30), at(0, 0), at(0, 10), at(0, Long.MAX_VALUE))).containsExactly(
      "out of pool: buffer=c offset=9223372036854775807 reservedBytes=10 poolBytes=30");
    assertThat(verdict(ABC, pools(10, 19), at(0, 0), at(1, 0), at(0, 0))).containsExactly(
      "out of pool: buffer=b offset=0 reservedBytes=20 poolBytes=19");
  }

  @Test
  void overlapOfOffsetsNearTheGreatestLongIsSeen() {
    long high = Long.MAX_VALUE - 5;
    assertThat(verdict(ABC, pools(Long.MAX_VALUE), at(0, high), at(0, high - 3), at(0, 0))).containsExactly(
      "out of pool: buffer=a offset=9223372036854775802 reservedBytes=10 poolBytes=9223372036854775807",
      "out of pool: buffer=b offset=9223372036854775799 reservedBytes=20 poolBytes=9223372036854775807",
      "overlap: first=a second=b pool=0 step=2");
  }

  @Test
  void noSuchPool() {
    assertThat(verdict(ABC, pools(30), at(1, 0), at(0, 10), at(-1, 0))).containsExactly(
      "no such pool: buffer=a pool=1 pools=1", "no such pool: buffer=c pool=-1 pools=1");
  }

  @Test
  void missingAndExtraPlacements() {
    assertThat(verdict(ABC, pools(30), at(0, 0), at(0, 10))).containsExactly(
      "no placement: buffer=c");
    assertThat(verdict(ABC, pools(30))).containsExactly(
      "no placement: buffer=a", "no placement: buffer=b",
      "no placement: buffer=c");
    assertThat(verdict(ABC, pools(30), at(0, 0), at(0, 10), at(0, 0), at(0, 5))).containsExactly(
      "placement of no buffer: index=3 pool=0 offset=5");
  }

  @Test
  void nobodyTakesTheBytesOfOutputsOrKeptBuffers() {
    for (Buffer early : List.of(Buffer.of("early", 4, new Lifetime(0, 1)).asOutput(),
      Buffer.of("early", 4, new Lifetime(0, 1)).withoutReuse())) {
      MemoryProblem problem = MemoryProblem.of(early, Buffer.of("late", 4, new Lifetime(3, 4)));
      assertThat(verdict(problem, pools(4), at(0, 0), at(0, 0))).containsExactly(
        "overlap: first=early second=late pool=0 step=3");
    }
  }

  @Test
  void noBytesOverlapNothingButStayInTheirPool() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("none", 0, new Lifetime(0, 1)),
      Buffer.of("some", 8, new Lifetime(0, 1)));
    assertThat(verdict(problem, pools(8), at(0, 4), at(0, 0))).isEmpty();
    assertThat(verdict(problem, pools(8), at(0, 8), at(0, 0))).isEmpty();
    assertThat(verdict(problem, pools(8), at(0, 9), at(0, 0))).containsExactly(
      "out of pool: buffer=none offset=9 reservedBytes=0 poolBytes=8");
  }

  @Test
  void aPlanWrongAllOverListsSoManyOverlapsAndStops() {
    MemoryProblem problem = new MemoryProblem(
      IntStream.range(0, 3_000).mapToObj(i -> Buffer.of("b" + i, 1, new Lifetime(0, 1))).toList());
    MemoryPlan plan = new MemoryPlan("test", pools(1), problem.buffers().stream().map(b -> at(0, 0)).toList());
    assertThat(PlanValidator.validate(problem, plan)).hasSize(PlanValidator.MAX_OVERLAPS);
  }

  @Test
  void requireValidGivesThePlanOrNamesPlannerAndFaults() {
    MemoryPlan good = new MemoryPlan("good", pools(30), List.of(at(0, 0), at(0, 10), at(0, 0)));
    assertThat(PlanValidator.requireValid(ABC, good)).isSameAs(good);
    MemoryPlan bad = new MemoryPlan("bad", pools(20), List.of(at(0, 0), at(0, 0), at(0, -4)));
    assertThatIllegalStateException().isThrownBy(() -> PlanValidator.requireValid(ABC, bad)).withMessage(
      "invalid memory plan: planner=bad faults=3: negative offset: buffer=c offset=-4; "
        + "overlap: first=a second=b pool=0 step=2; overlap: first=b second=c pool=0 step=3");
  }

  /** Against painting every byte of every step: exactly the pairs that meet on a cell are reported. */
  @Test
  void findsExactlyTheOverlapsThatPaintingFinds() {
    int valid = 0;
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      List<Buffer> buffers = new ArrayList<>();
      List<Placement> placements = new ArrayList<>();
      int size = random.nextInt(7);
      for (int i = 0; i < size; i++) {
        int first = random.nextInt(6);
        Buffer buffer = Buffer.of("b" + i, random.nextInt(6), new Lifetime(first, first + 1 + random.nextInt(4)));
        buffers.add(random.nextInt(8) == 0 ? buffer.asOutput() : buffer);
        placements.add(at(random.nextInt(2), random.nextInt(20)));
      }
      MemoryProblem problem = new MemoryProblem(buffers);
      List<Fault> faults = PlanValidator.validate(problem, new MemoryPlan("test", pools(30, 30), placements));
      Set<String> reported = new HashSet<>();
      for (Fault fault : faults) {
        assertThat(fault).isInstanceOfSatisfying(Fault.Overlap.class, o -> reported.add(o.first() + o.second()));
      }
      assertThat(reported).as("seed %d", seed).isEqualTo(painted(problem, placements)).hasSize(faults.size());
      valid += faults.isEmpty() ? 1 : 0;
    }
    assertThat(valid).as("both verdicts occur").isBetween(200, 1_800);
  }

  private static Set<String> painted(MemoryProblem problem, List<Placement> placements) {
    Set<String> pairs = new HashSet<>();
    List<Lifetime> allHeld = problem.held();
    for (int pool = 0; pool < 2; pool++) {
      for (int step = 0; step < problem.steps(); step++) {
        List<List<Integer>> cells = IntStream.range(0, 30).<List<Integer>>mapToObj(i -> new ArrayList<>()).toList();
        for (int i = 0; i < problem.size(); i++) {
          Lifetime held = allHeld.get(i);
          if (placements.get(i).pool() == pool && held.first() <= step && step < held.end()) {
            for (long b = 0; b < problem.buffer(i).bytes(); b++) {
              List<Integer> cell = cells.get((int) (placements.get(i).offset() + b));
              for (int other : cell) {
                pairs.add("b" + other + "b" + i);
              }
              cell.add(i);
            }
          }
        }
      }
    }
    return pairs;
  }

  private static List<String> verdict(MemoryProblem problem, List<Pool> pools, Placement... placements) {
    MemoryPlan plan = new MemoryPlan("test", pools, List.of(placements));
    return PlanValidator.validate(problem, plan).stream().map(Fault::toString).toList();
  }

  private static List<Pool> pools(long... bytes) {
    return Arrays.stream(bytes).mapToObj(b -> new Pool(b, 1)).toList();
  }

  private static Placement at(int pool, long offset) {
    return new Placement(pool, offset);
  }
}
