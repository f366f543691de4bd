package dev.cairn.runtime.memory.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConcurrentPlanValidatorTest {
  /** Step 0 makes a, 1 reads it and makes b, 2 reads b and makes c: c may take a's bytes in the serial order. */
  private static final MemoryProblem ABC = MemoryProblem.of(Buffer.of("a", 8, new Lifetime(0, 2)),
    Buffer.of("b", 8, new Lifetime(1, 3)), Buffer.of("c", 8, new Lifetime(2, 3)).asOutput());
  private static final MemoryPlan SHARED = plan(0, 8, 0);

  @Test
  void onOneStreamTheSerialPlanIsValid() {
    assertThat(verdict(SHARED, on(0, List.of()), on(0, List.of()), on(0, List.of()))).isEmpty();
  }

  @Test
  void acrossStreamsEventsAreWanted() {
    assertThat(verdict(SHARED, on(0, List.of()), on(1, List.of(0)), on(0, List.of(1)))).isEmpty();
    assertThat(verdict(SHARED, on(0, List.of()), on(1, List.of(0)), on(0, List.of()))).containsExactly(
      "nothing orders two uses of the same bytes: step=2 buffer=b otherStep=1 otherBuffer=b pool=0 offset=8",
      "nothing orders two uses of the same bytes: step=2 buffer=c otherStep=1 otherBuffer=a pool=0 offset=0");
    assertThat(verdict(SHARED, on(0, List.of()), on(1, List.of()), on(0, List.of(1)))).containsExactly(
      "nothing orders two uses of the same bytes: step=1 buffer=a otherStep=0 otherBuffer=a pool=0 offset=0");
  }

  @Test
  void contentThatIsGoneIsSeen() {
    assertThat(verdict(plan(0, 4, 16), on(0, List.of()), on(0, List.of()), on(0, List.of()))).containsExactly(
      "nothing orders two uses of the same bytes: step=1 buffer=b otherStep=1 otherBuffer=a pool=0 offset=4");
    MemoryProblem late = MemoryProblem.of(ABC.buffer(0).asOutput(), ABC.buffer(1), ABC.buffer(2));
    assertThat(verdict(late, SHARED, on(0, List.of()), on(0, List.of()), on(0, List.of()))).containsExactly(
      "reads what is not its buffer's: step=3 buffer=a owner=c pool=0 offset=0");
    MemoryPlan overwriting = plan(0, 8, 8);
    StreamSchedule readsAgain = schedule(new StepUses.Step(List.of(), List.of(0)), new StepUses.Step(List.of(), List.of(
      1)), new StepUses.Step(List.of(), List.of(2)), new StepUses.Step(List.of(1), List.of()));
    assertThat(ConcurrentPlanValidator.validate(ABC, overwriting, readsAgain)).extracting(Object::toString)
      .containsExactly("reads what is not its buffer's: step=3 buffer=b owner=c pool=0 offset=8");
  }

  @Test
  void whatIsNeverWrittenCannotBeRead() {
    StreamSchedule schedule = schedule(new StepUses.Step(List.of(1), List.of(2)));
    assertThat(ConcurrentPlanValidator.validate(ABC, SHARED, schedule)).extracting(Object::toString)
      .containsExactly("reads what is not its buffer's: step=0 buffer=b owner= pool=0 offset=8");
  }

  /** A variable has its content from before the run; a step that assigns it must not overtake one that reads it. */
  @Test
  void variablesAreJudgedToo() {
    StepUses uses = new StepUses(List.of(new StepUses.Step(List.of(3), List.of(0)), new StepUses.Step(List.of(), List
      .of(3))));
    StreamSchedule schedule = StreamAnalysis.schedule(uses, new int[] {0, 1}, 2);
    assertThat(schedule.steps().get(1).waits()).containsExactly(0);
    MemoryProblem problem = MemoryProblem.of(ABC.buffer(0), ABC.buffer(1), Buffer.of("d", 8, new Lifetime(2, 3)));
    assertThat(ConcurrentPlanValidator.validate(problem, SHARED, schedule)).isEmpty();
    assertThat(ConcurrentPlanValidator.validate(problem, SHARED, withoutOneWait(schedule, new Random(1))))
      .extracting(Object::toString).containsExactly(
        "nothing orders two uses of the same bytes: step=1 buffer=variable 0 otherStep=0 otherBuffer=variable 0 "
          + "pool=-1 offset=0");
  }

  @Test
  void waitsGoBackInTheOrderOfIssue() {
    assertThat(verdict(SHARED, on(0, List.of(2)), on(0, List.of(1)), on(0, List.of(-1)))).containsExactly(
      "waits for what is not issued before it: step=0 waitsFor=2",
      "waits for what is not issued before it: step=1 waitsFor=1",
      "waits for what is not issued before it: step=2 waitsFor=-1");
  }

  @Test
  void requireValidNamesPlannerAndFaults() {
    StreamSchedule good = schedule(on(0, List.of()), on(1, List.of(0)), on(0, List.of(1)));
    assertThat(ConcurrentPlanValidator.requireValid(ABC, SHARED, good)).isSameAs(SHARED);
    StreamSchedule bad = schedule(on(0, List.of()), on(1, List.of(0)), on(1, List.of()), on(0, List.of()));
    assertThatIllegalStateException().isThrownBy(() -> ConcurrentPlanValidator.requireValid(ABC, SHARED, bad))
      .withMessageStartingWith("plan invalid on several streams: planner=test streams=2 faults=");
  }

  /** Against comparing every two uses of every byte by walking all edges: the same verdict, on plans good and bad. */
  @Test
  void judgesAsComparingAllUsesOfAllBytesJudges() {
    int valid = 0;
    int total = 2_000;
    for (long seed = 0; seed < total; seed++) {
      RandomSteps steps = RandomSteps.seeded(seed);
      Random random = new Random(~seed);
      MemoryProblem problem = steps.problem();
      long[] offsets = new long[problem.size()];
      for (int i = 1; i < offsets.length; i++) {
        boolean apart = random.nextInt(10) > 0;
        offsets[i] = apart ? offsets[i - 1] + problem.buffer(i - 1).bytes() : random.nextInt(300);
      }
      MemoryPlan plan = MemoryPlan.inOneArena("test", problem, offsets);
      if (PlanValidator.validate(problem, plan).isEmpty()) {
        StreamSchedule schedule = random.nextInt(3) > 0 ? steps.schedule() : withoutOneWait(steps.schedule(), random);
        boolean clean = ConcurrentPlanValidator.validate(problem, plan, schedule).isEmpty();
        assertThat(clean).as("seed %d", seed).isEqualTo(isOrdered(problem, plan, schedule));
        valid += clean ? 1 : 0;
      } else {
        total--;
      }
    }
    assertThat(valid).as("both verdicts occur").isBetween(200, total - 200);
  }

  static StreamSchedule withoutOneWait(StreamSchedule schedule, Random random) {
    List<StreamSchedule.Step> steps = new ArrayList<>(schedule.steps());
    int[] waiting = IntStream.range(0, steps.size()).filter(i -> !steps.get(i).waits().isEmpty()).toArray();
    if (waiting.length > 0) {
      int chosen = waiting[random.nextInt(waiting.length)];
      List<Integer> waits = new ArrayList<>(steps.get(chosen).waits());
      waits.remove(/* index */ random.nextInt(waits.size()));
      steps.set(chosen, new StreamSchedule.Step(steps.get(chosen).stream(), waits, steps.get(chosen).uses()));
    }
    return new StreamSchedule(schedule.streams(), steps);
  }

  private static boolean isOrdered(MemoryProblem problem, MemoryPlan plan, StreamSchedule schedule) {
    boolean[][] before = new boolean[schedule.steps().size()][schedule.steps().size()];
    for (int later = 0; later < before.length; later++) {
      StreamSchedule.Step b = schedule.steps().get(later);
      for (int earlier = later - 1; earlier >= 0; earlier--) {
        StreamSchedule.Step a = schedule.steps().get(earlier);
        if (a.stream() == b.stream() || b.waits().contains(earlier)) {
          for (int first = 0; first <= earlier; first++) {
            before[first][later] |= first == earlier || before[first][earlier];
          }
        }
      }
      for (int earlier = 0; earlier < later; earlier++) {
        StreamSchedule.Step a = schedule.steps().get(earlier);
        boolean clash = shares(problem, plan, a.uses().writes(), b.uses().buffers())
          || shares(problem, plan, a.uses().buffers(), b.uses().writes());
        if (clash && !before[earlier][later]) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean shares(MemoryProblem problem, MemoryPlan plan, Iterable<Integer> some,
    Iterable<Integer> other) {
    for (int a : some) {
      for (int b : other) {
        if (Math.max(a, b) >= problem.size()) {
          if (a == b) {
            return true; // a variable
          }
          continue;
        }
        long low = Math.max(plan.placements().get(a).offset(), plan.placements().get(b).offset());
        long high = Math.min(plan.placements().get(a).offset() + problem.buffer(a).bytes(),
          plan.placements().get(b).offset() + problem.buffer(b).bytes());
        if (low < high) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<String> verdict(MemoryPlan plan, StreamSchedule.Step... steps) {
    return verdict(ABC, plan, steps);
  }

  private static List<String> verdict(MemoryProblem problem, MemoryPlan plan, StreamSchedule.Step... steps) {
    return ConcurrentPlanValidator.validate(problem, plan, schedule(steps)).stream().map(Object::toString).toList();
  }

  /** The n-th of these makes buffer n and reads the one before. */
  private static StreamSchedule schedule(StreamSchedule.Step... steps) {
    List<StreamSchedule.Step> numbered = new ArrayList<>();
    for (int i = 0; i < steps.length; i++) {
      List<Integer> reads = i == 0 ? List.of() : List.of(Math.min(i, 3) - 1);
      List<Integer> writes = i < 3 ? List.of(i) : List.of();
      numbered.add(new StreamSchedule.Step(steps[i].stream(), steps[i].waits(), new StepUses.Step(reads, writes)));
    }
    return new StreamSchedule(2, numbered);
  }

  private static StreamSchedule schedule(StepUses.Step... uses) {
    return StreamAnalysis.schedule(new StepUses(List.of(uses)), 1);
  }

  private static StreamSchedule.Step on(int stream, List<Integer> waits) {
    return new StreamSchedule.Step(stream, waits, new StepUses.Step(List.of(), List.of()));
  }

  private static MemoryPlan plan(long... offsets) {
    List<Placement> placements = new ArrayList<>();
    for (long offset : offsets) {
      placements.add(new Placement(0, offset));
    }
    return new MemoryPlan("test", List.of(new Pool(24, 1)), placements);
  }
}
