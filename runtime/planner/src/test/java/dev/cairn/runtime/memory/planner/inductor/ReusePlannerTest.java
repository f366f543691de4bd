package dev.cairn.runtime.memory.planner.inductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.RandomProblems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReusePlannerTest {
  @Test
  void theLastFreedIsTakenFirst() {
    assertThat(pools(buffer("a", 8, 0, 1), buffer("b", 8, 0, 2), buffer("c", 8, 2, 4), buffer("d", 8, 2, 4)))
      .containsExactly(0, 1, 1, 0);
  }

  @Test
  void freedInOneStepTheHigherIndexIsTakenFirst() {
    assertThat(pools(buffer("a", 8, 0, 2), buffer("b", 8, 0, 2), buffer("c", 8, 2, 4), buffer("d", 8, 2, 4)))
      .containsExactly(0, 1, 1, 0);
  }

  @Test
  void whatAStepReadsIsNotTakenByWhatItWrites() {
    assertThat(pools(buffer("a", 8, 0, 2), buffer("b", 8, 1, 3), buffer("c", 8, 2, 4))).containsExactly(0, 1, 0);
  }

  @Test
  void aPoolIsHandedOnAgainAndAgain() {
    assertThat(pools(buffer("a", 8, 0, 2), buffer("b", 8, 1, 3), buffer("c", 8, 2, 4), buffer("d", 8, 3, 5),
      buffer("e", 8, 4, 6))).containsExactly(0, 1, 0, 1, 0);
  }

  @Test
  void dtypeOrDeviceDiffers() {
    assertThat(pools(buffer("a", 8, 0, 1).withReuseKey("cpu/float32"), buffer("b", 8, 1, 2).withReuseKey("cpu/int32"),
      buffer("c", 8, 2, 3).withReuseKey("gpu:0/float32"), buffer("d", 8, 3, 4).withReuseKey("cpu/float32")))
      .containsExactly(0, 1, 2, 0);
  }

  @Test
  void symbolicSizesDifferThoughEqualNow() {
    assertThat(pools(buffer("a", 8, 0, 1).withReuseKey("4*s0"), buffer("b", 8, 1, 2).withReuseKey("4*s1"),
      buffer("c", 8, 2, 3).withReuseKey("4*s0"))).containsExactly(0, 1, 0);
  }

  @Test
  void sizeOrAlignmentDiffers() {
    assertThat(pools(buffer("a", 64, 0, 1), buffer("b", 63, 1, 2), buffer("c", 65, 2, 3),
      buffer("d", 64, 3, 4).withAlignment(64), buffer("e", 64, 4, 5))).containsExactly(0, 1, 2, 3, 0);
  }

  @Test
  void outputsAndKeptBuffersTakeButAreNotTaken() {
    assertThat(pools(buffer("a", 8, 0, 1), buffer("out", 8, 1, 2).asOutput(), buffer("b", 8, 2, 3),
      buffer("kept", 8, 3, 4).withoutReuse(), buffer("c", 8, 4, 5))).containsExactly(0, 0, 1, 1, 2);
  }

  /** Peak 30 at step 2, where a's 10 would lie idle beside big: refused. b's 10 lie idle beside nothing: taken. */
  @Test
  void thePeakTestRefusesWhatWouldRaiseThePeak() {
    MemoryProblem problem = MemoryProblem.of(buffer("a", 10, 0, 1), buffer("big", 30, 2, 3), buffer("b", 10, 3, 4),
      buffer("c", 10, 6, 7));
    assertThat(pools(ReusePlanner.PLAIN, problem)).containsExactly(0, 1, 0, 0);
    assertThat(pools(ReusePlanner.PEAK_TESTED, problem)).containsExactly(0, 1, 2, 2);
  }

  @Test
  void thePeakTestAlwaysAllowsTheStepAfter() {
    MemoryProblem problem = MemoryProblem.of(buffer("a", 30, 0, 1), buffer("b", 30, 1, 2));
    assertThat(pools(ReusePlanner.PEAK_TESTED, problem)).containsExactly(0, 0);
  }

  /** Room for 10 more at step 2; the first takeover fills it, so that the second, which would fit alone, is refused. */
  @Test
  void aTakeoverRaisesThePeaksItSpans() {
    List<Buffer> buffers = new ArrayList<>(List.of(buffer("peak", 40, 0, 1), buffer("a", 10, 0, 1).withReuseKey("k"),
      buffer("b", 10, 0, 1).withReuseKey("l"), buffer("low", 50, 2, 3), buffer("a2", 10, 3, 4).withReuseKey("k"),
      buffer("b2", 10, 3, 4).withReuseKey("l")));
    assertThat(pools(ReusePlanner.PEAK_TESTED, new MemoryProblem(buffers))).containsExactly(0, 1, 2, 3, 1, 4);
    buffers.remove(4);
    assertThat(pools(ReusePlanner.PEAK_TESTED, new MemoryProblem(buffers))).containsExactly(0, 1, 2, 3, 2);
  }

  /** a ends at 1; b may not take it across the peak at 2, which ends at 3; a stays below b on the stack. */
  @Test
  void aRefusedBufferStaysOnItsStack() {
    MemoryProblem problem = MemoryProblem.of(buffer("a", 10, 0, 1), buffer("peak", 30, 2, 3), buffer("b", 10, 3, 4),
      buffer("c", 10, 4, 5), buffer("d", 10, 4, 5));
    assertThat(pools(ReusePlanner.PEAK_TESTED, problem)).containsExactly(0, 1, 2, 2, 3);
    assertThat(pools(ReusePlanner.PLAIN, problem)).containsExactly(0, 1, 0, 0, 2);
  }

  /** Against the rules written down step by step, with arrays over all steps. */
  @Test
  void equalsTheRulesStepByStep() {
    requireRules(0, 80);
  }

  @Test
  @Tag("long")
  void manyProblemsEqualTheRulesStepByStep() {
    requireRules(80, 400);
  }

  private static void requireRules(long from, long to) {
    int refusals = 0;
    for (long seed = from; seed < to; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      for (boolean peakTest : new boolean[] {false, true}) {
        ReusePlanner planner = peakTest ? ReusePlanner.PEAK_TESTED : ReusePlanner.PLAIN;
        assertThat(pools(planner, problem)).as("seed %d %s", seed, planner.name())
          .containsExactly(stepByStep(problem, peakTest));
      }
      refusals += Arrays.equals(stepByStep(problem, true), stepByStep(problem, false)) ? 0 : 1;
    }
    assertThat(refusals).as("problems where the peak test changes the plan").isGreaterThan((int) (to - from) / 12);
  }

  private static int[] stepByStep(MemoryProblem problem, boolean peakTest) {
    long[] live = new long[problem.steps()];
    List<Lifetime> held = problem.held();
    for (int i = 0; i < problem.size(); i++) {
      raise(live, held.get(i).first(), held.get(i).end(), problem.buffer(i).reservedBytes());
    }
    long overall = Arrays.stream(live).max().orElse(0);
    int[] pools = new int[problem.size()];
    int newPool = 0;
    List<Integer> freed = new ArrayList<>();
    for (int step = 0; step < problem.steps(); step++) {
      for (int i = 0; i < problem.size(); i++) {
        Buffer buffer = problem.buffer(i);
        if (buffer.lifetime().end() == step && buffer.reusable() && !buffer.output()) {
          freed.add(i);
        }
      }
      for (int i = 0; i < problem.size(); i++) {
        Buffer buffer = problem.buffer(i);
        if (buffer.lifetime().first() == step) {
          int last = lastAlike(problem, freed, buffer);
          int end = last < 0 ? step : problem.buffer(last).lifetime().end();
          long between = IntStream.range(end, step).mapToLong(s -> live[s]).max().orElse(0);
          if (last >= 0 && (!peakTest || end == step || buffer.reservedBytes() + between <= overall)) {
            raise(live, end, step, buffer.reservedBytes());
            freed.remove(Integer.valueOf(last));
            pools[i] = pools[last];
          } else {
            pools[i] = newPool++;
          }
        }
      }
    }
    return pools;
  }

  private static int lastAlike(MemoryProblem problem, List<Integer> freed, Buffer buffer) {
    return freed.stream().filter(i -> problem.buffer(i).bytes() == buffer.bytes())
      .filter(i -> problem.buffer(i).alignment() == buffer.alignment())
      .filter(i -> problem.buffer(i).reuseKey().equals(buffer.reuseKey())).reduce(-1, (a, b) -> b);
  }

  private static void raise(long[] live, int from, int to, long bytes) {
    for (int step = from; step < to; step++) {
      live[step] += bytes;
    }
  }

  private static int[] pools(Buffer... buffers) {
    return pools(ReusePlanner.PLAIN, MemoryProblem.of(buffers));
  }

  private static int[] pools(ReusePlanner planner, MemoryProblem problem) {
    MemoryPlan plan = PlanValidator.requireValid(problem, planner.plan(problem));
    assertThat(plan.placements()).allMatch(placement -> placement.offset() == 0);
    return plan.placements().stream().mapToInt(placement -> placement.pool()).toArray();
  }

  private static Buffer buffer(String name, long bytes, int first, int end) {
    return Buffer.of(name, bytes, new Lifetime(first, end));
  }
}
