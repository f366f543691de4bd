package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.RecomputeOption;
import dev.cairn.runtime.compile.RecomputeChoices;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.search.RecomputeCurve;
import dev.cairn.runtime.report.WholeFile;
import dev.cairn.runtime.report.plan.OverheadCurve;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What each budget costs, from the floor to the peak: a drawing, and its figures beside it.
 *
 * @param svg the drawing
 * @param figures a row for each budget; of a model also the overhead of each mode of another system, where it fits
 */
record BudgetCurve(String svg, String figures) {
  private static final int BUDGETS = 12;

  /** The curve of a problem by itself. */
  static BudgetCurve of(String title, RecomputeProblem problem) {
    return of(title, problem, RecomputeCurve.of(problem, BUDGETS), Map.of());
  }

  /** The curve of a model, with what the modes of other systems choose. */
  static BudgetCurve of(String title, RecomputeChoices choices) {
    List<RecomputeAnswer> found = RecomputeCurve.of(choices.problem(), BUDGETS);
    List<Long> budgets = found.stream().map(RecomputeAnswer::budgetBytes).toList();
    Map<RecomputeMode, List<RecomputeAnswer>> others = new TreeMap<>();
    RecomputeMode.upstream().forEach(mode -> others.put(mode, choices.answers(mode, budgets)));
    return of(title, choices.problem(), found, others);
  }

  private static BudgetCurve of(String title, RecomputeProblem problem, List<RecomputeAnswer> found,
    Map<RecomputeMode, List<RecomputeAnswer>> others) {
    var figures = new StringBuilder("budget,fits,cost,overhead,bound,peak,recomputations");
    others.keySet().forEach(mode -> figures.append(',').append(mode));
    figures.append('\n');
    for (int i = 0; i < found.size(); i++) {
      RecomputeAnswer answer = found.get(i);
      // No order fits the budget where the bound is the largest number.
      String bound = answer.bound() == Long.MAX_VALUE
        ? ""
        : String.format(Locale.ROOT, "%.6f", answer
          .overheadBound());
      figures.append(String.format(Locale.ROOT, "%d,%b,%d,%.6f,%s,%d,%d", answer.budgetBytes(), answer.fits(),
        answer.cost(), answer.overhead(), bound, answer.peakBytes(), answer.recomputations()));
      for (List<RecomputeAnswer> other : others.values()) {
        figures.append(other.get(i).fits() ? String.format(Locale.ROOT, ",%.6f", other.get(i).overhead()) : ",");
      }
      figures.append('\n');
    }
    List<OverheadCurve.Other> lines = new ArrayList<>();
    others.forEach((mode, answers) -> lines.add(new OverheadCurve.Other(mode.toString(), points(answers))));
    return new BudgetCurve(OverheadCurve.svg(title, points(found), lines, problem.floor().bytes(), WordJudge.peak(
      problem, problem.givenOrder())), figures.toString());
  }

  private static List<OverheadCurve.Point> points(List<RecomputeAnswer> answers) {
    return answers.stream().filter(RecomputeAnswer::fits).map(it -> new OverheadCurve.Point(it.budgetBytes(), it
      .overhead(), it.overheadBound())).toList();
  }

  /** Writes both files and returns their paths. */
  List<Path> write(Path curve) throws IOException {
    WholeFile.write(curve, svg);
    Path beside = RecomputeOption.figures(curve);
    WholeFile.write(beside, figures);
    return List.of(curve, beside);
  }
}
