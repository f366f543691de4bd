package dev.cairn.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Verdicts on fixed offsets, gaps, devices, groups and conflicts. */
class PlanValidatorFeaturesTest {
  private static final Buffer A = Buffer.of("a", 10, life(0, 10));
  private static final Buffer B = Buffer.of("b", 20, life(5, 15));

  @Test
  void notWhereItIsFixed() {
    MemoryProblem problem = MemoryProblem.of(A.withFixedOffset(20), B);
    assertThat(verdict(problem, pools(30), at(0, 20), at(0, 0))).isEmpty();
    assertThat(verdict(problem, pools(30), at(0, 0), at(0, 10))).containsExactly(
      "not where it is fixed: buffer=a offset=0 fixedOffset=20");
  }

  @Test
  void aFixedOffsetCountsInTheFirstPoolOfItsDevice() {
    MemoryProblem problem = MemoryProblem.of(A.onDevice(1).withFixedOffset(0));
    List<Pool> pools = List.of(new Pool(10, 1, 0), new Pool(10, 1, 1), new Pool(10, 1, 1));
    assertThat(verdict(problem, pools, at(1, 0))).isEmpty();
    assertThat(verdict(problem, pools, at(2, 0))).containsExactly(
      "fixed, but not in its device's first pool: buffer=a pool=2 firstPool=1");
    assertThat(verdict(problem, pools, at(0, 0))).containsExactly(
      "wrong device: buffer=a device=1 pool=0 poolDevice=0");
  }

  @Test
  void inAGapOthersMayHaveTheBytes() {
    MemoryProblem inside = MemoryProblem.of(A.withGaps(List.of(life(3, 6))), Buffer.of("c", 5, life(3, 6)));
    assertThat(verdict(inside, pools(10), at(0, 0), at(0, 4))).isEmpty();
    MemoryProblem beyond = MemoryProblem.of(A.withGaps(List.of(life(3, 6))), Buffer.of("c", 5, life(3, 7)));
    assertThat(verdict(beyond, pools(10), at(0, 0), at(0, 4))).containsExactly(
      "overlap: first=a second=c pool=0 step=6");
  }

  /** MiniMalloc's cases: gaps that just meet are enough, gaps a step apart are not. */
  @Test
  void gapsOfMinimalloc() {
    assertThat(verdict(gaps(life(1, 9), life(6, 14)), pools(20), at(0, 0), at(0, 0))).isEmpty();
    assertThat(verdict(gaps(life(1, 8), life(8, 14)), pools(20), at(0, 0), at(0, 0))).isEmpty();
    assertThat(verdict(gaps(life(1, 7), life(8, 14)), pools(20), at(0, 0), at(0, 0))).containsExactly(
      "overlap: first=a second=b pool=0 step=7");
  }

  @Test
  void aPairThatMeetsTwiceIsReportedOnce() {
    MemoryProblem problem = MemoryProblem.of(A.withGaps(List.of(life(6, 8))), B);
    assertThat(verdict(problem, pools(20), at(0, 0), at(0, 0))).containsExactly(
      "overlap: first=a second=b pool=0 step=5");
    assertThat(verdict(problem.with(new Conflicts.Builder().add(0, 1).build()), pools(20), at(0, 0), at(0, 0)))
      .hasSize(1);
  }

  @Test
  void sharedInConflict() {
    Buffer late = Buffer.of("late", 8, life(20, 21));
    MemoryProblem problem = MemoryProblem.of(A, late).with(new Conflicts.Builder().add(1, 0).build());
    assertThat(verdict(problem, pools(18), at(0, 0), at(0, 10))).isEmpty();
    assertThat(verdict(problem, pools(10, 8), at(0, 0), at(1, 0))).isEmpty();
    assertThat(verdict(problem, pools(18), at(0, 0), at(0, 9))).containsExactly(
      "shared in conflict: first=a second=late pool=0");
    assertThat(verdict(problem, pools(18), at(0, 0))).containsExactly("no placement: buffer=late");
  }

  @Test
  void notDirectlyAfter() {
    MemoryProblem problem = new MemoryProblem(List.of(A, B.withAlignment(2)), List.of(ContiguousGroup.of(1, 0)),
      Conflicts.NONE);
    assertThat(verdict(problem, List.of(new Pool(34, 2)), at(0, 24), at(0, 4))).isEmpty();
    assertThat(verdict(problem, List.of(new Pool(50, 2)), at(0, 25), at(0, 4))).containsExactly(
      "not directly after: before=b buffer=a pool=0 offset=25 wantedPool=0 wantedOffset=24");
    assertThat(verdict(problem, List.of(new Pool(50, 2), new Pool(50, 2)), at(1, 24), at(0, 4))).hasSize(1);
    assertThat(verdict(problem, List.of(new Pool(50, 2)), at(0, 24))).containsExactly("no placement: buffer=b");
  }

  /** Against painting every byte of every step on each device: the same pairs, whatever the problem asks for. */
  @Test
  void findsExactlyWhatPaintingFinds() {
    int valid = 0;
    for (long seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      MemoryProblem problem = small(random);
      List<Placement> placements = new ArrayList<>();
      for (int i = 0; i < problem.size(); i++) {
        placements.add(at(random.nextInt(2), random.nextInt(14)));
      }
      List<Pool> pools = List.of(new Pool(20, 1, 0), new Pool(20, 1, random.nextInt(2)));
      List<Fault> faults = PlanValidator.validate(problem, new MemoryPlan("test", pools, placements));
      Set<String> reported = new HashSet<>();
      faults.forEach(fault -> reported.add(shortForm(fault)));
      assertThat(reported).as("seed %d", seed).isEqualTo(painted(problem, pools, placements)).hasSize(faults.size());
      valid += faults.isEmpty() ? 1 : 0;
    }
    assertThat(valid).as("both verdicts occur").isBetween(100, 2_900);
  }

  private static MemoryProblem small(Random random) {
    List<Buffer> buffers = new ArrayList<>();
    int size = random.nextInt(6);
    for (int i = 0; i < size; i++) {
      int first = random.nextInt(5);
      Buffer buffer = Buffer.of("b" + i, random.nextInt(6), life(first, first + 2 + random.nextInt(4)));
      if (random.nextInt(3) == 0) {
        buffer = buffer.withGaps(List.of(life(first, first + 1)));
      }
      buffer = buffer.onDevice(random.nextInt(4) / 3);
      // Far apart, so that fixed buffers don't contradict one another.
      buffers.add(random.nextInt(6) == 0 ? buffer.withFixedOffset(i * 100L) : buffer);
    }
    var conflicts = new Conflicts.Builder();
    if (size > 1 && random.nextBoolean()) {
      conflicts.add(0, 1 + random.nextInt(size - 1));
    }
    boolean grouped = size > 3 && random.nextBoolean() && buffers.get(2).constraints().equals(Constraints.NONE)
      && buffers.get(3).constraints().equals(Constraints.NONE);
    return new MemoryProblem(buffers, grouped ? List.of(ContiguousGroup.of(3, 2)) : List.of(), conflicts.build());
  }

  private static String shortForm(Fault fault) {
    return switch (fault) {
      case Fault.Overlap it -> it.first() + " on " + it.second();
      case Fault.SharedInConflict it -> it.first() + " on " + it.second();
      case Fault.NotWhereFixed it -> it.buffer() + " moved";
      case Fault.FixedInLaterPool it -> it.buffer() + " not in first pool";
      case Fault.WrongDevice it -> it.buffer() + " on wrong device";
      case Fault.NotContiguous it -> it.buffer() + " torn off";
      default -> throw new AssertionError("not expected: " + fault);
    };
  }

  private static Set<String> painted(MemoryProblem problem, List<Pool> pools, List<Placement> placements) {
    Set<String> found = new HashSet<>();
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      Placement placement = placements.get(i);
      for (int j = 0; j < i; j++) {
        if (shareACell(problem, placements, j, i)) {
          found.add("b" + j + " on b" + i);
        }
      }
      if (buffer.fixedOffset().isPresent() && buffer.fixedOffset().getAsLong() != placement.offset()) {
        found.add("b" + i + " moved");
      }
      if (pools.get(placement.pool()).device() != buffer.device()) {
        found.add("b" + i + " on wrong device");
      } else if (buffer.fixedOffset().isPresent() && placement.pool() == 1 && buffer.device() == 0) {
        found.add("b" + i + " not in first pool");
      }
    }
    if (!problem.groups().isEmpty()) {
      long wanted = placements.get(3).offset() + problem.buffer(3).bytes();
      if (!placements.get(2).equals(at(placements.get(3).pool(), wanted))) {
        found.add("b2 torn off");
      }
    }
    return found;
  }

  private static boolean shareACell(MemoryProblem problem, List<Placement> placements, int a, int b) {
    if (placements.get(a).pool() != placements.get(b).pool()) {
      return false;
    }
    boolean always = problem.conflicts().contains(a, b);
    for (int step = 0; step < problem.steps(); step++) {
      boolean both = paints(problem.buffer(a), step) && paints(problem.buffer(b), step);
      for (long cell = 0; (both || always) && cell < 20; cell++) {
        if (covers(problem.buffer(a), placements.get(a), cell) && covers(problem.buffer(b), placements.get(b), cell)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean paints(Buffer buffer, int step) {
    return buffer.lifetime().contains(step) && buffer.gaps().stream().noneMatch(gap -> gap.contains(step));
  }

  private static boolean covers(Buffer buffer, Placement placement, long cell) {
    return placement.offset() <= cell && cell < placement.offset() + buffer.bytes();
  }

  private static MemoryProblem gaps(Lifetime ofA, Lifetime ofB) {
    return MemoryProblem.of(A.withGaps(List.of(ofA)), B.withGaps(List.of(ofB)));
  }

  private static List<String> verdict(MemoryProblem problem, List<Pool> pools, Placement... placements) {
    MemoryPlan plan = new MemoryPlan("test", pools, List.of(placements));
    return PlanValidator.validate(problem, plan).stream().map(Fault::toString).toList();
  }

  private static List<Pool> pools(long... bytes) {
    List<Pool> pools = new ArrayList<>();
    for (long size : bytes) {
      pools.add(new Pool(size, 1));
    }
    return pools;
  }

  private static Placement at(int pool, long offset) {
    return new Placement(pool, offset);
  }

  private static Lifetime life(int first, int end) {
    return new Lifetime(first, end);
  }
}
