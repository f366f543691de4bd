package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.RematOption;
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

/** What each budget costs, from the floor to the peak: a drawing, and its figures beside it. */
final class BudgetCurve {
  private static final int BUDGETS = 12;

  private BudgetCurve() {}

  /** Writes both files and returns their paths. */
  static List<Path> write(String title, RematProblem problem, Path curve) throws IOException {
    List<OverheadCurve.Point> points = new ArrayList<>();
    StringBuilder figures = new StringBuilder("budget,fits,cost,overhead,bound,peak,reruns\n");
    for (RematAnswer answer : RematCurve.of(problem, BUDGETS)) {
      // No order fits the budget where the bound is the largest number.
      String bound = answer.bound() == Long.MAX_VALUE
        ? ""
        : String.format(Locale.ROOT, "%.6f", answer
          .overheadBound());
      figures.append(String.format(Locale.ROOT, "%d,%b,%d,%.6f,%s,%d,%d%n", answer.budgetBytes(), answer.fits(),
        answer.cost(), answer.overhead(), bound, answer.peakBytes(), answer.reruns()));
      if (answer.fits()) {
        points.add(new OverheadCurve.Point(answer.budgetBytes(), answer.overhead(), answer.overheadBound()));
      }
    }
    WholeFile.write(curve, OverheadCurve.svg(title, points, problem.floor().bytes(), WordJudge.peak(problem, problem
      .givenOrder())));
    Path beside = RematOption.figures(curve);
    WholeFile.write(beside, figures.toString());
    return List.of(curve, beside);
  }
}
