package dev.cairn.benchmarks.planning;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The models that Cairn runs, by every planner; the default one is judged. */
final class ModelsTable implements PlanningTable {
  private static final int SEARCH_SECONDS = 1;
  private static final double MOST_RATIO = 1.005;
  private static final double LEAST_AT_BOUND = 0.9;
  private static final double MOST_PADDING = 0.005;

  @Override
  public String name() {
    return "models";
  }

  @Override
  public List<Section> measured(Places places, PlanningEffort effort) {
    var table = new MarkdownTable(Stream.concat(Stream.of("model", "buffers", "lower bound, MB", "alignment loss"),
      PlannerChoice.ofProblems().stream().map(PlannerChoice::toString)).toArray(String[]::new));
    double worst = 0;
    double padding = 0;
    int atBound = 0;
    List<OwnModel> models = OwnModel.all(places);
    for (OwnModel model : models) {
      System.err.printf("model            %s%n", model.name());
      CompiledGraph compiled = model.compiled(CompileOptions.DEFAULT);
      PlanScore score = compiled.score();
      double loss = score.boundBytes() == 0 ? 0 : (double) score.paddingBytes() / score.boundBytes();
      worst = Math.max(worst, score.ratio());
      padding = Math.max(padding, loss);
      atBound += score.peakBytes() == score.boundBytes() ? 1 : 0;
      List<String> cells = new ArrayList<>(List.of(model.name(), Integer.toString(compiled.storage().problem().size()),
        number(3, score.boundBytes() / 1e6), number(5, loss)));
      for (PlannerChoice choice : PlannerChoice.ofProblems()) {
        cells.add(ratio(choice, compiled.storage().problem(), effort));
      }
      table.row(cells.toArray(String[]::new));
    }
    return List.of(new Section("Models that Cairn runs",
      """
        Peak over lower bound of every planner, for the light models of the ONNX tests and the zoo: inference, batch
        1, 128 tokens. The default planner, `%s`, is judged: at most %s for each, the bound itself for %d %%, and at
        most %s %% of the bound lost to alignment."""
        .formatted(CompileOptions.DEFAULT.planner(), number(3, MOST_RATIO), Math.round(
          100 * LEAST_AT_BOUND), number(1, 100 * MOST_PADDING)),
      table, List.of(
        Figure.judged("models-worst", worst, 4, Goal.atMost(MOST_RATIO)),
        Figure.judged("models-at-bound", (double) atBound / models.size(), 2, Goal.atLeast(LEAST_AT_BOUND)),
        Figure.judged("models-alignment-loss", padding, 5, Goal.atMost(MOST_PADDING)))));
  }

  private static String ratio(PlannerChoice choice, MemoryProblem problem, PlanningEffort effort) {
    try {
      return number(4, Timed.of(choice.planner(effort.budget(SEARCH_SECONDS)), problem, 1).score().ratio());
    } catch (IllegalArgumentException e) {
      return "-";
    }
  }
}
