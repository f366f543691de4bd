package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever is assigned and read in whatever order, a run gives, and leaves, what the naive interpreter says. */
class RandomProgramsTest {
  private int direct;
  private int copied;
  private int kept;

  /** A program for each combination of the other options. */
  @ParameterizedTest
  @EnumSource
  void everyPlannerLeavesTheInterpretersValues(PlannerChoice planner) {
    for (int seed = from(planner); seed < from(planner) + 12; seed++) {
      compare(seed, options(planner, seed, seed % 4));
    }
    requireAllKindsOfAssigns(2);
  }

  /** Each of many programs with all combinations of the other options. */
  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void everyPlannerLeavesTheInterpretersValuesOfManyPrograms(PlannerChoice planner) {
    for (int seed = from(planner); seed < from(planner) + 40; seed++) {
      for (int options = 0; options < 4; options++) {
        compare(seed, options(planner, seed, options));
      }
    }
    requireAllKindsOfAssigns(30);
  }

  /** Each planner has programs of its own, so that all planners together see many. */
  private static int from(PlannerChoice planner) {
    return 40 * List.of(PlannerChoice.values()).indexOf(planner);
  }

  private static CompileOptions options(PlannerChoice planner, int seed, int number) {
    return CompileOptions.DEFAULT.withPlanner(planner).withSimplify(number % 2 == 1).withInPlace(number / 2 == 1)
      .withStreams(planner == PlannerChoice.BEST_FIT ? 1 + seed % 3 : 1);
  }

  private void requireAllKindsOfAssigns(int more) {
    assertThat(direct).as("assigns without a copy").isGreaterThan(more);
    assertThat(copied).as("assigns with a copy").isGreaterThan(more);
    assertThat(kept).as("old values kept").isGreaterThan(more);
  }

  private void compare(int seed, CompileOptions options) {
    var program = new RandomPrograms(seed, 3 + seed % 30);
    var random = new SplittableRandom(seed);
    var source = new NettySubAllocator();
    var sessionOptions = SessionOptions.DEFAULT.withThreads(1).withCompile(options);
    try (var session = Session.of(program.graph(), sessionOptions, source)) {
      count(session.compiled().orElseThrow().storage());
      for (int run = 0; run < 3; run++) {
        float[] x = new float[RandomPrograms.ELEMENTS];
        for (int i = 0; i < x.length; i++) {
          x[i] = random.nextInt(-4, 5);
        }
        int number = run;
        Supplier<String> facts = () -> "seed=%d options=%s run=%d\n%s".formatted(seed, options, number, program
          .graph());
        Map<String, float[]> wanted = program.run(x);
        try (var result = session.run(Map.of("x", Tensor.of(x, 4, 4)))) {
          wanted.forEach((name, values) -> assertThat(result.get(name).toFloatArray()).as(() -> name + "\n" + facts
            .get()).containsExactly(values));
        }
        session.info().variables().keySet().forEach(name -> assertThat(session.variable(name).toFloatArray())
          .as(() -> name + "\n" + facts.get()).containsExactly(program.variables().get(name)));
      }
      var compiled = session.compiled().orElseThrow();
      assertThat(PlanValidator.validate(compiled.storage().problem(), compiled.plan())).isEmpty();
    }
    assertThat(source.heldBytes()).isZero();
  }

  private void count(Storage storage) {
    direct += storage.variables().direct().size();
    for (Node step : storage.steps()) {
      copied += step.kind() instanceof NodeKind.Assign ? 1 : 0;
      kept += step.name().contains("/kept") ? 1 : 0;
    }
  }
}
