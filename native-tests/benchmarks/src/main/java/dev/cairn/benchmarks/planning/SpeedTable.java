package dev.cairn.benchmarks.planning;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How long the default planner takes for problems of a thousand and ten thousand buffers. */
final class SpeedTable implements PlanningTable {
  private static final long SEED = 7;

  private record Size(int buffers, double mostMillis) {}

  private static final List<Size> SIZES = List.of(new Size(1_000, 50), new Size(10_000, 1_000));

  @Override
  public String name() {
    return "speed";
  }

  @Override
  public List<Section> measured(Places places, Effort effort) {
    var table = new MarkdownTable("buffers", "/ lower bound", "ms, first", "ms, again", "goal, ms");
    List<Figure> figures = new ArrayList<>();
    for (Size size : SIZES) {
      System.err.printf("speed            %d buffers%n", size.buffers());
      MemoryProblem problem = GeneratedProblem.of(size.buffers(), SEED);
      Timed timed = Timed.of(CompileOptions.DEFAULT.planner().planner(), problem, effort.rounds());
      figures.add(Figure.judged("ms@%d".formatted(size.buffers()), timed.millis(), 1, Goal.atMost(size.mostMillis())));
      table.row(Integer.toString(size.buffers()), String.format(Locale.ROOT, "%.4f", timed.score().ratio()), String
        .format(Locale.ROOT, "%.1f", timed.firstMillis()), String.format(Locale.ROOT, "%.1f", timed.millis()), "<="
          + Math.round(size.mostMillis()));
    }
    return List.of(new Section("Planning time by size", """
      The planner that a session has by default, on generated problems shaped like the training of a deep network. What
      is judged is the median of the plannings after the first.""", table, figures));
  }
}
