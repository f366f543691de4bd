package dev.cairn.benchmarks.planning;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.compile.StandAlonePlanning;
import dev.cairn.runtime.memory.LowerBound;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Traces of training runs: how small a plan is found within some seconds. */
final class TracesTable implements PlanningTable {
  @Override
  public String name() {
    return "traces";
  }

  @Override
  public List<Section> measured(Places places, PlanningEffort effort) {
    var table = new MarkdownTable("trace", "buffers", "limit, s", "peak", "lower bound", "/ lower bound", "seconds",
      "goal");
    List<Figure> figures = new ArrayList<>();
    for (NamedProblem it : NamedProblem.traces(places).stream().filter(effort::wants).toList()) {
      for (TrainingTrace.Limit limit : limits(it)) {
        System.err.printf("trace, %2d s      %s%n", limit.seconds(), it.name());
        var solution = new StandAlonePlanning(Optional.empty(), effort.budget(limit.seconds())).solve(it.problem(),
          Long.MAX_VALUE);
        long boundBytes = LowerBound.of(it.problem()).bytes();
        double ratio = (double) solution.plan().peakBytes() / boundBytes;
        figures.add(Figure.judged("%s@%ds".formatted(it.name(), limit.seconds()), ratio, 4, Goal.atMost(limit
          .mostRatio())));
        table.row(it.name(), Integer.toString(it.problem().size()), Integer.toString(limit.seconds()), Long.toString(
          solution.plan().peakBytes()), Long.toString(boundBytes), number(4, ratio), number(2, solution.nanos() / 1e9),
          "<=" + number(2, limit.mostRatio()));
      }
    }
    return figures.isEmpty() ? List.of() : List.of(new Section("Traces of training runs: within a time limit", """
      The planner for problems that stand alone, with a time limit; it stops before that when it meets the bound. Best
      known of public tools: ResNet-50 and G_1 1.0000, PanGu 1.0334, S_1 1.0167.""", table, figures));
  }

  private static List<TrainingTrace.Limit> limits(NamedProblem problem) {
    for (TrainingTrace trace : TrainingTrace.ALL) {
      if (trace.title().equals(problem.name())) {
        return trace.limits();
      }
    }
    throw new AssertionError("no such trace: name=" + problem.name());
  }
}
