package dev.cairn.benchmarks.recompute;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.recompute.PublishedGraph.Planned;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Published training graphs at parts of their peak, beside the best known words and proved bounds. */
final class PublishedTable implements RecomputeTable {
  /** Half of the last digit of the known figures. */
  private static final double ROUNDING = 0.00006;
  private static final double MOST_OVER_BOUND = 1.02;

  /** A line of the known answers, in percent. */
  private record Known(String graph, BigDecimal part, double best, double bound) {
    static Known of(String line) {
      String[] cells = line.split(",", -1);
      return new Known(cells[0], new BigDecimal(cells[1]), Double.parseDouble(cells[2]), Double.parseDouble(cells[3]));
    }
  }

  @Override
  public String name() {
    return "graphs";
  }

  @Override
  public Optional<Section> measured(Places places, boolean isQuick) throws IOException {
    Path file = places.data("remat/optimal.csv");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    var table = new MarkdownTable("graph, nodes", "budget", "overhead, %", "proved here, %", "best known, %",
      "proved elsewhere, %", "s");
    List<Known> known = Files.readAllLines(file).stream().skip(1).map(Known::of).toList();
    int met = 0;
    int rows = 0;
    int notFound = 0;
    double worst = 0;
    double overBound = 0;
    List<String> missed = new ArrayList<>();
    for (Known it : isQuick ? known.subList(0, 2) : known) {
      PublishedGraph graph = PublishedGraph.read(places, it.graph).orElseThrow();
      long budget = it.part.multiply(BigDecimal.valueOf(graph.peakBytes())).longValue();
      Planned planned = graph.within(budget, isQuick ? QUICK_WORK : SEARCH_WORK);
      double percent = planned.answer().fits() ? 100 * planned.answer().overhead() : Double.POSITIVE_INFINITY;
      boolean isMet = percent <= it.best + ROUNDING;
      rows++;
      met += isMet ? 1 : 0;
      boolean isFound = planned.answer().fits();
      notFound += isFound ? 0 : 1;
      worst = isFound ? Math.max(worst, (100 + percent) / (100 + it.best)) : worst;
      overBound = isFound && it.bound > 0 ? Math.max(overBound, (100 + percent) / (100 + it.bound)) : overBound;
      if (!isMet) {
        missed.add("%s %s".formatted(it.graph, it.part));
      }
      table.row("%s, %d".formatted(it.graph, graph.problem().nodes()), it.part.toString(), isFound
        ? number(4, percent)
        : "none; the least peak is %s %% above the budget".formatted(number(1, 100.0 * (planned.answer().peakBytes()
          - budget) / budget)),
        number(4,
          100 * planned.answer().overheadBound()),
        number(4, it.best), number(4, it.bound), number(1, planned.seconds()));
    }
    return Optional.of(section(table, List.of(
      Figure.judged("best-known-met", (double) met / rows, 3, Goal.atLeast(1)),
      Figure.told("not-found", notFound, 0),
      Figure.told("over-best-known", worst, 4),
      Figure.judged("over-proved", overBound, 4, Goal.atMost(MOST_OVER_BOUND))), missed));
  }

  private static Section section(MarkdownTable table, List<Figure> figures, List<String> missed) {
    return new Section("Published graphs",
      """
        Training graphs published with Checkmate and Moccasin, at parts of the peak in the file's order, with
        the work of `--recompute search`. Costs are those of the files (times on a V100, for FCN-8 operations).
        "Proved here" comes with the answer; what is known comes from longer searches and integer programs
        outside the build. Judged: the share of budgets at which the best known word is met or beaten, and the
        worst cost over a bound that is proved elsewhere. Not met: %s."""
        .formatted(missed.isEmpty() ? "none" : String.join(", ", missed)),
      table, figures);
  }
}
