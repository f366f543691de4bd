package dev.cairn.runtime.memory.planner.inductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.RandomProblems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LinePoolsModelTest {
  /** How many programs there are until they begin again with short ones. Each next seed makes a longer program. */
  private static final int PROGRAMS = 90;
  /** Programs of all lengths, in each build; the others are among the long tests. */
  private static final long[] SOME = LongStream.iterate(0, seed -> seed < PROGRAMS, seed -> seed + 6).toArray();
  private static final long[] OTHERS = LongStream.range(0, PROGRAMS).filter(seed -> seed % 6 != 0).toArray();

  @Test
  void equalsTheRecursiveModel() {
    requireModel(SOME);
  }

  @Test
  @Tag("long")
  void programsOfEveryLengthEqualTheRecursiveModel() {
    requireModel(OTHERS);
  }

  private static void requireModel(long... seeds) {
    for (long seed : seeds) {
      MemoryProgram program = RandomPrograms.seeded(seed);
      for (PoolMode mode : PoolMode.values()) {
        for (long alignment : new long[] {1, 64}) {
          PooledProgram pooled = LinePools.plan(program, new PoolOptions(mode, alignment));
          List<TreeModel.Item> items = items(program);
          TreeModel model = new TreeModel(mode, alignment, items);
          long at = seed;
          Supplier<String> what = () -> "seed %d %s align %d\n%s".formatted(at, mode, alignment, program);
          assertThat(pooled.pools().stream().map(PooledProgram.SymbolicPool::countedBytes)).as(what)
            .isEqualTo(model.countedBytes);
          assertThat(pooled.places().stream().map(PooledProgram.PooledBuffer::pool)).as(what)
            .isEqualTo(items.stream().map(item -> item.pool).toList());
          if (items.stream().noneMatch(item -> item.unbacked)) {
            MemoryPlan plan = pooled.plan(RandomPrograms.DIMENSIONS.getFirst());
            assertThat(plan.pools().stream().map(pool -> pool.bytes())).as(what).isEqualTo(model.poolBytes);
            assertThat(plan.placements().stream().map(place -> place.offset())).as(what)
              .isEqualTo(items.stream().map(item -> item.offset).toList());
          }
        }
      }
    }
  }

  @Test
  void everyPlanIsValidForAllLengthsAndNeverBelowTheBound() {
    requireValid(SOME);
  }

  @Test
  @Tag("long")
  void plansOfProgramsOfEveryLengthAreValid() {
    requireValid(OTHERS);
  }

  private static void requireValid(long... seeds) {
    for (long seed : seeds) {
      MemoryProgram program = RandomPrograms.seeded(seed);
      for (PoolMode mode : PoolMode.values()) {
        PooledProgram pooled = LinePools.plan(program, new PoolOptions(mode, 64));
        assertThat(LinePools.plan(program, new PoolOptions(mode, 64))).isEqualTo(pooled);
        for (Map<String, Long> dimensions : RandomPrograms.DIMENSIONS) {
          MemoryProblem problem = pooled.problem(dimensions);
          MemoryPlan plan = PlanValidator.requireValid(problem, pooled.plan(dimensions));
          assertThat(plan.peakBytes()).isGreaterThanOrEqualTo(LowerBound.of(problem).bytes());
          assertThat(plan.placements()).allMatch(place -> place.offset() % 64 == 0);
        }
      }
    }
  }

  @Test
  void theProblemPlannerEqualsTheModelToo() {
    requireModelOfProblems(0, 32);
  }

  @Test
  @Tag("long")
  void theProblemPlannerEqualsTheModelOnManyProblems() {
    requireModelOfProblems(32, 128);
  }

  private static void requireModelOfProblems(long from, long to) {
    for (long seed = from; seed < to; seed++) {
      MemoryProblem problem = RandomProblems.seeded(seed);
      if (problem.buffers().stream().anyMatch(buffer -> buffer.alignment() > 1)) {
        continue; // upstream has no alignment of a single buffer
      }
      List<Lifetime> held = problem.held();
      for (PoolMode mode : PoolMode.values()) {
        List<TreeModel.Item> items = IntStream.range(0, problem.size()).mapToObj(i -> new TreeModel.Item(i, "0",
          new TreeModel.Span(held.get(i).first(), held.get(i).end() + (problem.buffer(i).output() ? 1 : 0)),
          problem.buffer(i).bytes(), false, problem.buffer(i).output())).toList();
        TreeModel model = new TreeModel(mode, 64, items);
        MemoryPlan plan = new AllocationTreePlanner(new PoolOptions(mode, 64)).plan(problem);
        assertThat(plan.pools().stream().map(pool -> pool.bytes())).as("seed %d", seed).isEqualTo(model.poolBytes);
        assertThat(plan.placements().stream().map(place -> place.offset())).as("seed %d", seed)
          .isEqualTo(items.stream().map(item -> item.offset).toList());
      }
    }
  }

  /** Groups and their time steps, by a straight walk over the lines. */
  private static List<TreeModel.Item> items(MemoryProgram program) {
    Map<String, Integer> groupOf = new HashMap<>();
    List<LineBuffer> groups = new ArrayList<>();
    List<int[]> steps = new ArrayList<>();
    List<Boolean> outputs = new ArrayList<>();
    int step = 0;
    boolean before = false;
    for (MemoryLine line : program.lines()) {
      step += line.isMemory() && !before ? 1 : 0;
      before = line.isMemory();
      if (line instanceof MemoryLine.Allocate(LineBuffer buffer) && !program.removed().contains(buffer.name())) {
        groupOf.put(buffer.name(), groups.size());
        groups.add(buffer);
        steps.add(new int[] {step, step});
        outputs.add(program.outputs().contains(buffer.name()));
      } else if (line instanceof MemoryLine.Reuse(LineBuffer from, LineBuffer to) && groupOf.containsKey(from.name())) {
        int group = groupOf.get(from.name());
        groupOf.put(to.name(), group);
        outputs.set(group, outputs.get(group) || program.outputs().contains(to.name()));
      } else if (line instanceof MemoryLine.Free(LineBuffer buffer) && groupOf.containsKey(buffer.name())) {
        steps.get(groupOf.get(buffer.name()))[1] = step;
      }
    }
    List<TreeModel.Item> items = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      LineBuffer buffer = groups.get(i);
      items.add(new TreeModel.Item(i, buffer.device(),
        new TreeModel.Span(steps.get(i)[0], outputs.get(i) ? step + 1 : steps.get(i)[1]),
        buffer.bytes().hint().orElse(64), buffer.bytes().hint().isEmpty(), outputs.get(i)));
    }
    return items;
  }
}
