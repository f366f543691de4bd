package dev.cairn.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FitVerdictTest {
  /** a and b meet, b and c meet: 150 by best fit, 250 without sharing. */
  private static final MemoryProblem PROBLEM = MemoryProblem.of(Buffer.of("a", 100, new Lifetime(0, 2)),
    Buffer.of("b", 50, new Lifetime(1, 3)), Buffer.of("c", 100, new Lifetime(2, 4)));
  private static final MemoryPlan BEST = BestFitPortfolio.ALL.plan(PROBLEM);
  private static final MemoryPlan NAIVE = NaivePlanner.ARENA.plan(PROBLEM);

  private static MemoryLimits limit(long bytes) {
    return MemoryLimits.NONE.with(0, bytes);
  }

  @Test
  void whatFitsIsToldWithWhatIsLeft() {
    FitVerdict verdict = FitVerdict.of(PROBLEM, BEST, limit(160));
    assertThat(verdict.fits()).isTrue();
    assertThat(verdict.shortBytes()).isZero();
    assertThat(verdict.remedies()).isEmpty();
    assertThat(verdict).hasToString("device 0: needs 150, fits 160, 10 left");
    assertThat(FitVerdict.of(PROBLEM, BEST, limit(150)).fits()).isTrue();
    assertThat(FitVerdict.of(PROBLEM, BEST, MemoryLimits.NONE)).hasToString("device 0: needs 150");
  }

  @Test
  void belowTheBoundNoPlannerHelps() {
    FitVerdict verdict = FitVerdict.of(PROBLEM, BEST, limit(149), List.of(NAIVE));
    assertThat(verdict.fits()).isFalse();
    assertThat(verdict.shortBytes()).isEqualTo(1);
    assertThat(verdict.devices().getFirst().isHopeless()).isTrue();
    assertThat(verdict.remedies()).containsExactly(new PlanRemedy.HigherLimit(0, 150));
    assertThat(verdict).hasToString("""
      device 0: needs 150, does not fit 149, short by 1; no plan takes less than 150
        held at step 1:
          100 a
          50 b
      to fit: a limit of 150 for device 0""");
  }

  @Test
  void anotherPlanThatFitsIsNamed() {
    FitVerdict verdict = FitVerdict.of(PROBLEM, NAIVE, limit(200), List.of(NAIVE, BEST));
    assertThat(verdict.remedies()).containsExactly(new PlanRemedy.OtherPlan(BEST.planner(), 150),
      new PlanRemedy.HigherLimit(0,
        250));
  }

  @Test
  void aBetterPlanMayBeThere() {
    FitVerdict verdict = FitVerdict.of(PROBLEM, NAIVE, limit(200)).with(new PlanRemedy.SmallerBatch(2, 90));
    assertThat(verdict.remedies()).containsExactly(new PlanRemedy.BetterPlan(150), new PlanRemedy.SmallerBatch(2, 90),
      new PlanRemedy.HigherLimit(0, 250));
    assertThat(verdict.toString()).contains("to fit: a batch of 2, which needs 90");
  }

  @Test
  void aProofMayTellThatNoBetterPlanIsThere() {
    FitVerdict verdict = FitVerdict.of(PROBLEM, NAIVE, limit(200));
    assertThat(verdict.withBound(0, 200).remedies()).containsExactly(new PlanRemedy.BetterPlan(200),
      new PlanRemedy.HigherLimit(
        0, 250));
    assertThat(verdict.withBound(0, 100)).as("less than the bound says nothing").isEqualTo(verdict);
    FitVerdict proved = verdict.withBound(0, 201);
    assertThat(proved.devices().getFirst().isHopeless()).isTrue();
    assertThat(proved.remedies()).containsExactly(new PlanRemedy.HigherLimit(0, 250));
    assertThat(proved.withLeast(0, 90).devices().getFirst().boundBytes()).isEqualTo(90);
    assertThat(proved.withLeast(0, 90).remedies()).isEqualTo(proved.remedies());
    FitVerdict other = FitVerdict.of(PROBLEM, NAIVE, limit(200), List.of(BEST));
    assertThat(other.withBound(0, 150)).as("what fits stays").isEqualTo(other);
  }

  @Test
  void whatIsTakenBesideThePlanCounts() {
    MemoryLimits limits = limit(200).withTaken(0, 40);
    assertThat(FitVerdict.of(PROBLEM, BEST, limits)).hasToString("device 0: needs 190, fits 200, 10 left");
    assertThat(FitVerdict.of(PROBLEM, NAIVE, limits, List.of(BEST)).remedies()).containsExactly(
      new PlanRemedy.OtherPlan(BEST.planner(), 190), new PlanRemedy.HigherLimit(0, 290));
    FitVerdict full = FitVerdict.of(PROBLEM, BEST, limit(30).withTaken(0, 40));
    assertThat(full.devices().getFirst().isHopeless()).isTrue();
    assertThat(full.shortBytes()).isEqualTo(160);
    assertThat(FitVerdict.of(PROBLEM, BEST, limits.withTaken(3, 7)).devices()).extracting(DeviceFit::neededBytes)
      .containsExactly(190L, 7L);
  }

  @Test
  void eachDeviceHasItsLimit() {
    MemoryProblem problem = MemoryProblem.of(Buffer.of("a", 100, new Lifetime(0, 2)), Buffer.of("b", 70, new Lifetime(0,
      2)).onDevice(1), Buffer.of("c", 30, new Lifetime(1, 2)).onDevice(1));
    MemoryPlan plan = BestFitPortfolio.ALL.plan(problem);
    FitVerdict verdict = FitVerdict.of(problem, plan, limit(100).with(1, 80).with(2, 5));
    assertThat(verdict.devices()).extracting(DeviceFit::device).containsExactly(0, 1, 2);
    assertThat(verdict.devices()).extracting(DeviceFit::shortBytes).containsExactly(0L, 20L, 0L);
    assertThat(verdict.devices().get(1).atPeak()).extracting(Buffer::name).containsExactly("b", "c");
    assertThat(verdict.remedies()).containsExactly(new PlanRemedy.HigherLimit(1, 100));
  }

  @Test
  void whatIsHeldAtThePeakIsTheBound() {
    for (long seed = 0; seed < 200; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      MemoryPlan plan = BestFitPortfolio.ALL.plan(problem);
      FitVerdict verdict = FitVerdict.of(problem, plan, limit(plan.peakBytes() / 2));
      long bound = verdict.devices().stream().mapToLong(DeviceFit::boundBytes).sum();
      long held = verdict.devices().stream().flatMap(it -> it.atPeak().stream()).mapToLong(Buffer::reservedBytes).sum();
      assertThat(held).as("seed %d", seed).isEqualTo(bound);
      assertThat(verdict.fits()).isEqualTo(plan.peakBytes() <= plan.peakBytes() / 2);
      assertThat(verdict.toString()).isNotBlank();
    }
  }

  @Test
  void manyBuffersAreSummedUpInTheText() {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      buffers.add(Buffer.of("b" + i, 10 + i, new Lifetime(0, 1)));
    }
    MemoryProblem problem = new MemoryProblem(buffers);
    String text = FitVerdict.of(problem, NaivePlanner.ARENA.plan(problem), limit(0)).toString();
    assertThat(text).contains("20 b10").contains("33 in 3 more").doesNotContain(" b2\n");
  }

  @Test
  void limitsAreNotNegative() {
    assertThatThrownBy(() -> limit(-1)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "limitBytes=-1");
    assertThatThrownBy(() -> MemoryLimits.NONE.withTaken(2, -5)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("device=2 takenBytes=-5");
    assertThat(limit(3).withTaken(0, 2)).hasToString("device 0: 3, device 0 taken: 2");
    assertThat(limit(3).with(1, 4)).hasToString("device 0: 3, device 1: 4");
  }
}
