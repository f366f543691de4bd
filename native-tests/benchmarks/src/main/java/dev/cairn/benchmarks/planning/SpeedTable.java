package dev.cairn.benchmarks.planning;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.List;

/** How long every planner takes for problems of a thousand and ten thousand buffers. */
final class SpeedTable implements PlanningTable {
  private static final long SEED = 7;

  private record Size(int buffers, double mostMillis) {}

  private static final List<Size> SIZES = List.of(new Size(1_000, 50), new Size(10_000, 1_000));

  @Override
  public String name() {
    return "speed";
  }

  @Override
  public List<Section> measured(Places places, PlanningEffort effort) {
    var table = new MarkdownTable("buffers and planner", "/ lower bound", "ms, first", "ms, again", "goal, ms");
    List<Figure> figures = new ArrayList<>();
    for (Size size : SIZES) {
      MemoryProblem problem = GeneratedProblem.of(size.buffers(), SEED);
      for (PlannerChoice choice : PlannerChoice.ofProblems()) {
        System.err.printf("speed            %d buffers, %s%n", size.buffers(), choice);
        Timed timed = Timed.of(choice.planner(), problem, effort.rounds());
        boolean isJudged = choice == CompileOptions.DEFAULT.planner();
        if (isJudged) {
          figures.add(Figure.judged("ms@%d".formatted(size.buffers()), timed.millis(), 1, Goal.atMost(size
            .mostMillis())));
        }
        table.row("%d, %s".formatted(size.buffers(), choice), number(4, timed.score().ratio()), number(1, timed
          .firstMillis()), number(1, timed.millis()), isJudged ? "<=" + Math.round(size.mostMillis()) : "");
      }
    }
    return List.of(new Section("Planning time by size",
      """
        Every planner without a time limit, on generated problems shaped like the training of a deep network. What is
        judged is the one that a session has by default, `%s`: the median of its plannings after the first."""
        .formatted(
          CompileOptions.DEFAULT.planner()),
      table, figures));
  }
}
