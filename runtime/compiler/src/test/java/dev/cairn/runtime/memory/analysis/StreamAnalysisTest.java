package dev.cairn.runtime.memory.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Conflicts;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamAnalysisTest {
  /** Two branches of three steps from one input, then a join: a1 b1 a2 b2 a3 b3 join. The colours are NNVM's. */
  private static final StepUses BRANCHES = new StepUses(List.of(step(List.of(), 0), step(List.of(), 1),
    step(List.of(0), 2), step(List.of(1), 3), step(List.of(2), 4), step(List.of(3), 5), step(List.of(4, 5), 6)));

  @Test
  void twoBranchesAreColouredAsNnvmColoursThem() {
    assertThat(streams(BRANCHES, 1)).containsOnly(0);
    assertThat(streams(BRANCHES, 2)).containsExactly(1, 0, 1, 0, 1, 0, 0);
  }

  @Test
  void onlyTheJoinWaitsForAnEvent() {
    StreamSchedule schedule = StreamAnalysis.schedule(BRANCHES, 2);
    assertThat(schedule.steps().stream().map(StreamSchedule.Step::waits)).containsExactly(List.of(), List.of(),
      List.of(), List.of(), List.of(), List.of(), List.of(4));
    assertThat(schedule.events()).isEqualTo(1);
    assertThat(schedule.stepsOn(0)).isEqualTo(4);
    assertThat(schedule.toString()).startsWith("7 steps on 2 streams, 1 events\n0 on 1 reads [] writes [0]\n")
      .endsWith("\n6 on 0 after [4] reads [4, 5] writes [6]");
  }

  @Test
  void branchesShareBytesOnlyWithThemselvesUntilTheyJoin() {
    MemoryProblem problem = problem(BRANCHES);
    StreamSchedule schedule = StreamAnalysis.schedule(BRANCHES, 2);
    Conflicts conflicts = StreamAnalysis.conflicts(problem, schedule, StreamReuse.ORDERED);
    assertThat(conflicts.contains(0, 5)).as("a1, b3").isTrue();
    assertThat(conflicts.contains(0, 4)).as("a1, a3").isFalse();
    assertThat(conflicts.contains(1, 5)).as("b1, b3").isFalse();
    assertThat(conflicts.contains(0, 6)).as("a1, join").isFalse();
    assertThat(StreamAnalysis.conflicts(problem, schedule, StreamReuse.SAME_STREAM).contains(0, 6)).isTrue();
    assertThat(StreamAnalysis.conflicts(problem, StreamAnalysis.schedule(BRANCHES, 1), StreamReuse.ORDERED))
      .isEqualTo(Conflicts.NONE);
  }

  /** Step 2 writes in place over what step 1, on another stream, may still read. */
  @Test
  void aResultInPlaceWaitsForTheOtherReaders() {
    StepUses uses = new StepUses(List.of(step(List.of(), 0), step(List.of(0), 1), step(List.of(0), 0)));
    StreamSchedule schedule = StreamAnalysis.schedule(uses, new int[] {0, 1, 0}, 2);
    assertThat(schedule.steps().stream().map(StreamSchedule.Step::waits)).containsExactly(List.of(), List.of(0),
      List.of(1));
  }

  @Test
  void whatAnEventImpliesNeedsNoOther() {
    // 2 waits for 1, which comes after 0; so 2 need not wait for 0, nor 3 for 1.
    StepUses uses = new StepUses(List.of(step(List.of(), 0), step(List.of(), 1), step(List.of(0, 1), 2),
      step(List.of(1, 2), 3)));
    StreamSchedule schedule = StreamAnalysis.schedule(uses, new int[] {0, 0, 1, 1}, 2);
    assertThat(schedule.steps().stream().map(StreamSchedule.Step::waits)).containsExactly(List.of(), List.of(),
      List.of(1), List.of());
  }

  /** Against reachability by walking all edges: who comes before whom, and so who is in conflict. */
  @Test
  void conflictsAreThePairsThatNoPathOrders() {
    long pairs = 0;
    for (long seed = 0; seed < 60; seed++) {
      RandomSteps random = RandomSteps.seeded(seed);
      StreamSchedule schedule = random.schedule();
      boolean[][] before = reachable(schedule);
      for (StreamReuse reuse : StreamReuse.values()) {
        Conflicts conflicts = StreamAnalysis.conflicts(random.problem(), schedule, reuse);
        pairs += conflicts.count();
        for (int a = 0; a < random.problem().size(); a++) {
          for (int b = 0; b < random.problem().size(); b++) {
            if (random.problem().buffer(a).lifetime().end() <= random.problem().buffer(b).lifetime().first()) {
              assertThat(conflicts.contains(a, b)).as("seed %d %s b%d b%d", seed, reuse, a, b)
                .isEqualTo(!mayFollow(schedule, before, reuse, a, b));
            }
          }
        }
      }
    }
    assertThat(pairs).isGreaterThan(1_500);
  }

  /** Every dependency of the serial order is kept by streams and events. */
  @Test
  void whatASerialRunOrdersIsOrderedOnStreams() {
    for (long seed = 0; seed < 60; seed++) {
      RandomSteps random = RandomSteps.seeded(seed);
      boolean[][] before = reachable(random.schedule());
      for (int later = 0; later < random.uses().size(); later++) {
        for (int earlier = 0; earlier < later; earlier++) {
          if (touchAndWrite(random.uses().steps().get(earlier), random.uses().steps().get(later))) {
            assertThat(before[earlier][later]).as("seed %d %d %d", seed, earlier, later).isTrue();
          }
        }
      }
    }
  }

  @Test
  void thereIsAtLeastOneStream() {
    assertThatIllegalArgumentException().isThrownBy(() -> StreamAnalysis.schedule(BRANCHES, 0))
      .withMessage("at least one stream is needed: streams=0");
    assertThatIllegalArgumentException()
      .isThrownBy(() -> new StreamSchedule(1, List.of(new StreamSchedule.Step(1, List.of(), step(List.of(), 0)))))
      .withMessage("no such stream: stream=1 streams=1");
    assertThat(StreamAnalysis.schedule(new StepUses(List.of()), 3).steps()).isEmpty();
  }

  private static boolean touchAndWrite(StepUses.Step earlier, StepUses.Step later) {
    return earlier.writes().stream().anyMatch(later.buffers()::contains)
      || earlier.reads().stream().anyMatch(later.writes()::contains);
  }

  private static boolean mayFollow(StreamSchedule schedule, boolean[][] before, StreamReuse reuse, int a, int b) {
    int birth = 0;
    while (!schedule.steps().get(birth).uses().writes().contains(b)) {
      birth++;
    }
    for (int step = 0; step < schedule.steps().size(); step++) {
      boolean uses = schedule.steps().get(step).uses().buffers().contains(a);
      boolean elsewhere = schedule.steps().get(step).stream() != schedule.steps().get(birth).stream();
      if (uses && (!before[step][birth] || (reuse == StreamReuse.SAME_STREAM && elsewhere))) {
        return false;
      }
    }
    return true;
  }

  private static boolean[][] reachable(StreamSchedule schedule) {
    int size = schedule.steps().size();
    boolean[][] before = new boolean[size][size];
    for (int later = 0; later < size; later++) {
      for (int earlier = later - 1; earlier >= 0; earlier--) {
        StreamSchedule.Step step = schedule.steps().get(later);
        boolean edge = schedule.steps().get(earlier).stream() == step.stream() || step.waits().contains(earlier);
        for (int first = 0; edge && first <= earlier; first++) {
          before[first][later] |= first == earlier || before[first][earlier];
        }
      }
    }
    return before;
  }

  private static List<Integer> streams(StepUses uses, int streams) {
    return StreamAnalysis.schedule(uses, streams).steps().stream().map(StreamSchedule.Step::stream).toList();
  }

  private static MemoryProblem problem(StepUses uses) {
    List<Buffer> buffers = new ArrayList<>();
    for (int buffer = 0; buffer < uses.limit(); buffer++) {
      int birth = uses.size();
      int last = 0;
      for (int step = 0; step < uses.size(); step++) {
        if (uses.steps().get(step).buffers().contains(buffer)) {
          birth = Math.min(birth, step);
          last = step;
        }
      }
      buffers.add(Buffer.of("b" + buffer, 64, new Lifetime(birth, last + 1)));
    }
    return new MemoryProblem(buffers);
  }

  private static StepUses.Step step(List<Integer> reads, Integer... writes) {
    return new StepUses.Step(reads, List.of(writes));
  }
}
