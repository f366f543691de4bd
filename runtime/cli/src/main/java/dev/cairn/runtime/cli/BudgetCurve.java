package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.RematOption;
import dev.cairn.runtime.compile.RematMode;
import dev.cairn.runtime.compile.RerunChoices;
import dev.cairn.runtime.memory.remat.RematAnswer;
import dev.cairn.runtime.memory.remat.RematProblem;
import dev.cairn.runtime.memory.remat.WordJudge;
import dev.cairn.runtime.memory.remat.search.RematCurve;
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
  static BudgetCurve of(String title, RematProblem problem) {
    return of(title, problem, RematCurve.of(problem, BUDGETS), Map.of());
  }

  /** The curve of a model, with what the modes of other systems choose. */
  static BudgetCurve of(String title, RerunChoices choices) {
    List<RematAnswer> found = RematCurve.of(choices.problem(), BUDGETS);
    List<Long> budgets = found.stream().map(RematAnswer::budgetBytes).toList();
    Map<RematMode, List<RematAnswer>> others = new TreeMap<>();
    RerunChoices.UPSTREAM.forEach(mode -> others.put(mode, choices.answers(mode, budgets)));
    return of(title, choices.problem(), found, others);
  }

  private static BudgetCurve of(String title, RematProblem problem, List<RematAnswer> found,
    Map<RematMode, List<RematAnswer>> others) {
    var figures = new StringBuilder("budget,fits,cost,overhead,bound,peak,reruns");
    others.keySet().forEach(mode -> figures.append(',').append(mode));
    figures.append('\n');
    for (int i = 0; i < found.size(); i++) {
      RematAnswer answer = found.get(i);
      // No order fits the budget where the bound is the largest number.
      String bound = answer.bound() == Long.MAX_VALUE
        ? ""
        : String.format(Locale.ROOT, "%.6f", answer
          .overheadBound());
      figures.append(String.format(Locale.ROOT, "%d,%b,%d,%.6f,%s,%d,%d", answer.budgetBytes(), answer.fits(),
        answer.cost(), answer.overhead(), bound, answer.peakBytes(), answer.reruns()));
      for (List<RematAnswer> other : others.values()) {
        figures.append(other.get(i).fits() ? String.format(Locale.ROOT, ",%.6f", other.get(i).overhead()) : ",");
      }
      figures.append('\n');
    }
    List<OverheadCurve.Other> lines = new ArrayList<>();
    others.forEach((mode, answers) -> lines.add(new OverheadCurve.Other(mode.toString(), points(answers))));
    return new BudgetCurve(OverheadCurve.svg(title, points(found), lines, problem.floor().bytes(), WordJudge.peak(
      problem, problem.givenOrder())), figures.toString());
  }

  private static List<OverheadCurve.Point> points(List<RematAnswer> answers) {
    return answers.stream().filter(RematAnswer::fits).map(it -> new OverheadCurve.Point(it.budgetBytes(), it
      .overhead(), it.overheadBound())).toList();
  }

  /** Writes both files and returns their paths. */
  List<Path> write(Path curve) throws IOException {
    WholeFile.write(curve, svg);
    Path beside = RematOption.figures(curve);
    WholeFile.write(beside, figures);
    return List.of(curve, beside);
  }
}
