package dev.cairn.runtime.memory.planner.inductor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.planner.inductor.PooledProgram.PooledBuffer;
import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One test for each sentence about {@code memory_plan}. */
class LinePoolsTest {
  private static final SymbolicSize S0 = SymbolicSize.dimension("s0", 3);
  private static final SymbolicSize S1 = SymbolicSize.dimension("s1", 2);

  /** t1 = x@z, t0 = x.T@t1, t1 = x@t0, then the sum: x is [s0, s1]; the product that is never read is gone. */
  private static Lines upstream(SymbolicSize square, SymbolicSize narrow) {
    return new Lines().allocate("buf0", square).kernel().allocate("buf1", narrow).kernel().free("buf0")
      .allocate("buf2", square).kernel().allocate("out", 4).kernel().free("buf1", "buf2").output("out");
  }

  @Test
  void theUpstreamProgramInSymbols() {
    PooledProgram pooled = upstream(S0.times(S0).times(4), S0.times(S1).times(4)).pooled(PoolMode.INTERMEDIATES, 64);
    assertThat(pooled.pools()).hasSize(2);
    assertThat(pooled.pools().get(1).bytes()).hasToString("4*s0*s1 + align(4*s0*s0)");
    assertThat(place(pooled, "buf0").pool()).isEqualTo(1);
    assertThat(place(pooled, "buf0").offset()).isEqualTo(SymbolicSize.ZERO);
    assertThat(place(pooled, "buf1").offset()).hasToString("align(4*s0*s0)");
    assertThat(place(pooled, "buf2").offset()).isEqualTo(SymbolicSize.ZERO);
    Map<String, Long> lengths = Map.of("s0", 3L, "s1", 2L);
    assertThat(pooled.plan(lengths).pools().get(1).bytes()).isEqualTo(88);
    assertThat(pooled.plan(lengths).placements().get(1).offset()).isEqualTo(64);
  }

  @Test
  void theUpstreamProgramAheadOfTime() {
    PooledProgram pooled = upstream(S0.times(12), SymbolicSize.of(24)).pooled(PoolMode.INTERMEDIATES, 64);
    assertThat(pooled.pools().get(1).bytes()).hasToString("24 + align(12*s0)");
  }

  @Test
  void anAllocationAndWhatTakesItOverInPlaceAreOneGroup() {
    PooledProgram pooled = new Lines().allocate("a", 100).kernel().reuse("a", "b").allocate("x", 60).kernel()
      .reuse("b", "c").kernel().free("c", "x").pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(pooled.places()).extracting(place -> place.buffer().name()).containsExactly("a", "x");
    assertThat(place(pooled, "a")).extracting(PooledBuffer::begin, PooledBuffer::end).containsExactly(1, 4);
  }

  @Test
  void aGroupIsAnOutputIfAnyOfItsNamesIs() {
    PooledProgram pooled = new Lines().allocate("a", 100).kernel().reuse("a", "b").kernel().output("b")
      .pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(place(pooled, "a")).extracting(PooledBuffer::begin, PooledBuffer::end, PooledBuffer::output)
      .containsExactly(1, 3, true);
  }

  @Test
  void whatTakesOverAnOperatorsOwnResultHasNoGroup() {
    PooledProgram pooled = new Lines().made("own", 8, buffer -> buffer).kernel().reuse("own", "b").kernel().free("b")
      .pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(pooled.places()).isEmpty();
    assertThat(pooled.lines()).extracting(PooledLine::toString).containsExactly("k0", "reuse own as b", "k1", "free b");
  }

  @Test
  void eachRunOfMemoryLinesIsOneStep() {
    PooledProgram pooled = new Lines().kernel().allocate("a", 8).allocate("b", 8).kernel().kernel().free("a")
      .allocate("c", 8).enter().free("b").kernel().exit().free("c").pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(pooled.places()).extracting(PooledBuffer::begin).containsExactly(1, 1, 2);
    assertThat(pooled.places()).extracting(PooledBuffer::end).containsExactly(2, 3, 4);
  }

  @Test
  void linesOfRemovedBuffersGoButStillMakeAStep() {
    PooledProgram pooled = new Lines().allocate("r", 8).kernel().allocate("a", 8).kernel().free("r", "a")
      .removed("r").pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(pooled.places()).extracting(PooledBuffer::begin).containsExactly(2);
    assertThat(pooled.lines()).extracting(PooledLine::toString)
      .containsExactly("k0", "take a at 0+0 (allocates the pool)", "k1", "return a to 0 (frees the pool)");
  }

  @Test
  void outputsLiveToTheStepAfterTheLast() {
    PooledProgram pooled = new Lines().allocate("out", 8).allocate("a", 8).kernel().free("a").output("out")
      .pooled(PoolMode.COMBINED, 1);
    assertThat(place(pooled, "out").end()).isEqualTo(3);
    assertThat(place(pooled, "a").end()).isEqualTo(2);
  }

  @Test
  void whatIsFreedInAStepAndWhatIsAllocatedInItMayShare() {
    PooledProgram pooled = new Lines().allocate("a", 8).kernel().allocate("b", 8).free("a").kernel().free("b")
      .pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(places(pooled)).containsExactly("a 0+0", "b 0+0");
    assertThat(pooled.pools().getFirst().bytes()).isEqualTo(SymbolicSize.of(8));
  }

  /** Two outputs of 10 and 20, two others that live at once. */
  private static Lines twoOutputs() {
    return new Lines().allocate("out20", 20).allocate("a", 15).allocate("b", 30).kernel().free("a", "b")
      .allocate("out10", 10).kernel().output("out10", "out20");
  }

  @Test
  void eachOutputHasItsOwnPoolAndTheRestOne() {
    assertThat(places(twoOutputs().pooled(PoolMode.INTERMEDIATES, 1)))
      .containsExactly("out20 1+0", "a 2+30", "b 2+0", "out10 0+0");
  }

  @Test
  void modeNoneGivesWhatFitsNowhereItsOwnPool() {
    assertThat(places(twoOutputs().pooled(PoolMode.NONE, 1)))
      .containsExactly("out20 1+0", "a 3+0", "b 2+0", "out10 0+0");
  }

  @Test
  void modeOutputsPutsAllOutputsBehindOneAnother() {
    assertThat(places(twoOutputs().pooled(PoolMode.OUTPUTS, 1)))
      .containsExactly("out20 0+10", "a 1+30", "b 1+0", "out10 0+0");
  }

  @Test
  void modeCombinedPutsAllIntoOnePoolByDescendingSize() {
    assertThat(places(twoOutputs().pooled(PoolMode.COMBINED, 1)))
      .containsExactly("out20 0+30", "a 0+50", "b 0+0", "out10 0+0");
  }

  @Test
  void outputsAreSortedBySizeAscendingThenTheLongerLive() {
    PooledProgram pooled = new Lines().allocate("big", 30).kernel().allocate("late", 10).kernel().allocate("later", 10)
      .kernel().output("big", "late", "later").pooled(PoolMode.OUTPUTS, 1);
    assertThat(places(pooled)).containsExactly("big 0+20", "late 0+0", "later 0+10");
  }

  @Test
  void theRestIsSortedBySizeDescendingThenTheLongerLiveThenTheFirstAllocated() {
    PooledProgram pooled = new Lines().allocate("small", 10).allocate("short", 20).allocate("long", 20)
      .allocate("long2", 20).kernel().free("short").kernel().free("small", "long", "long2")
      .pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(places(pooled)).containsExactly("small 0+60", "short 0+40", "long 0+0", "long2 0+20");
  }

  @Test
  void intermediatesUseAnOutputsBytesWhileItIsDead() {
    PooledProgram pooled = new Lines().allocate("a", 8).kernel().free("a").allocate("out", 8).kernel().output("out")
      .pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(places(pooled)).containsExactly("a 0+0", "out 0+0");
  }

  @Test
  void poolsArePerDevice() {
    PooledProgram pooled = new Lines().allocate("a", 8, buffer -> buffer.onDevice("gpu:0")).kernel().free("a")
      .allocate("b", 8, buffer -> buffer.onDevice("gpu:1")).kernel().free("b").allocate("c", 8,
        buffer -> buffer.onDevice("gpu:0"))
      .kernel().free("c").pooled(PoolMode.COMBINED, 1);
    assertThat(places(pooled)).containsExactly("a 0+0", "b 1+0", "c 0+0");
    assertThat(pooled.pools()).extracting(PooledProgram.SymbolicPool::device).containsExactly("gpu:0", "gpu:1");
  }

  /** Only the last pool grows: 40 fits neither output pool, 5 fits the first while its output is dead. */
  @Test
  void aBlockIsOfferedToEachPoolInOrderAndOnlyTheLastMayGrow() {
    PooledProgram pooled = new Lines().allocate("a", 40).allocate("b", 5).allocate("c", 39).kernel()
      .free("a", "b", "c").allocate("out", 6).allocate("out2", 7).kernel().output("out", "out2")
      .pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(places(pooled)).containsExactly("a 2+0", "b 0+0", "c 2+40", "out 0+0", "out2 1+0");
  }

  @Test
  void aPoolComesWithItsFirstUseAndGoesWithItsLast() {
    PooledProgram pooled = new Lines().allocate("a", 8).kernel().free("a").allocate("b", 8).kernel().free("b")
      .pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(pooled.lines()).extracting(PooledLine::toString).containsExactly("take a at 0+0 (allocates the pool)",
      "k0", "return a to 0", "take b at 0+0", "k1", "return b to 0 (frees the pool)");
  }

  @Test
  void aPoolInWhichSomethingLivesOnIsNotFreed() {
    PooledProgram pooled = new Lines().allocate("a", 8).kernel().free("a").allocate("out", 8).kernel().output("out")
      .pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(pooled.lines()).extracting(PooledLine::toString).contains("return a to 0");
  }

  @Test
  void anUnbackedSizeCountsAsSixtyFourBytes() {
    PooledProgram pooled = new Lines().allocate("u", SymbolicSize.unbacked("u0")).allocate("a", 65).allocate("b", 63)
      .kernel().free("u", "a", "b").pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(places(pooled)).containsExactly("u 0+65", "a 0+0", "b 0+65 + u0");
  }

  /** u's size is known from step 2 on, so its pool can't exist in step 1, where a lives. */
  @Test
  void anUnbackedSizeDoesNotJoinAPoolThatIsOlderThanIt() {
    PooledProgram pooled = new Lines().allocate("a", 100).kernel().free("a")
      .allocate("u", SymbolicSize.unbacked("u0")).kernel().free("u").pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(places(pooled)).containsExactly("a 0+0", "u 1+0");
  }

  @Test
  void nothingOlderJoinsAPoolWithAnUnbackedSize() {
    PooledProgram pooled = new Lines().allocate("a", 8).kernel().free("a")
      .allocate("u", SymbolicSize.unbacked("u0")).kernel().free("u").allocate("b", 8).kernel().free("b")
      .pooled(PoolMode.INTERMEDIATES, 1);
    assertThat(places(pooled)).containsExactly("a 1+0", "u 0+0", "b 0+0");
  }

  @Test
  void aPlanHoldsForOtherLengthsThanTheHints() {
    PooledProgram pooled = new Lines().allocate("a", S0.times(100)).allocate("b", S1.times(100)).kernel()
      .free("a", "b").allocate("c", S1.times(120)).kernel().free("c").pooled(PoolMode.INTERMEDIATES, 64);
    assertThat(pooled.pools().getFirst().bytes()).hasToString("100*s1 + align(max(100*s0, 120*s1))");
    for (long s0 = 0; s0 < 40; s0 += 3) {
      Map<String, Long> lengths = Map.of("s0", s0, "s1", 40 - s0);
      PlanValidator.requireValid(pooled.problem(lengths), pooled.plan(lengths));
    }
  }

  @Test
  void aBuffersOwnAlignmentIsKept() {
    PooledProgram pooled = new Lines().allocate("a", 100).allocate("b", 50, buffer -> buffer.withAlignment(256))
      .kernel().free("a", "b").pooled(PoolMode.INTERMEDIATES, 64);
    assertThat(places(pooled)).containsExactly("a 0+0", "b 0+256");
    assertThat(pooled.pools().getFirst().alignment()).isEqualTo(256);
  }

  @Test
  void nothingToPlan() {
    assertThat(new Lines().program().lines()).isEmpty();
    PooledProgram pooled = new Lines().kernel().pooled(PoolMode.INTERMEDIATES, 64);
    assertThat(pooled.pools()).isEmpty();
    assertThat(pooled.plan(Map.of()).peakBytes()).isZero();
    assertThatThrownBy(() -> new PoolOptions(PoolMode.NONE, 48)).isInstanceOf(IllegalArgumentException.class);
  }

  private static PooledBuffer place(PooledProgram pooled, String name) {
    return pooled.places().stream().filter(place -> place.buffer().name().equals(name)).findFirst().orElseThrow();
  }

  /** In the order of allocations: name, pool and offset. */
  private static List<String> places(PooledProgram pooled) {
    return pooled.places().stream()
      .map(place -> "%s %d+%s".formatted(place.buffer(), place.pool(), place.offset())).toList();
  }
}
