package dev.cairn.benchmarks.breadth;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What was measured, as sections of a page. */
record BreadthPage(List<BreadthFigure> figures, BreadthCases cases) {
  private static final double MEAN = 0.9;
  private static final double EACH = 1.25;
  private static final int DECIMALS = 2;

  List<Section> sections() {
    return List.of(summary(), operators(), table());
  }

  /** One row for each number of threads. */
  private Section summary() {
    var table = new MarkdownTable("threads", "cases", "geometric mean", "largest", "at most 1.25", "at most 1");
    List<Figure> told = new ArrayList<>();
    Map<Integer, List<Double>> byThreads = figures.stream().collect(Collectors.groupingBy(BreadthFigure::threads,
      TreeMap::new, Collectors.mapping(BreadthFigure::ratio, Collectors.toList())));
    byThreads.forEach((threads, ratios) -> {
      Sample sample = Sample.of(ratios);
      table.row(Integer.toString(threads), Integer.toString(ratios.size()), two(sample.geometricMean()), two(sample
        .max()), count(ratios, EACH), count(ratios, 1));
      told.add(Figure.told("cases-" + threads, ratios.size(), 0));
      told.add(Figure.judged("geomean-" + threads, sample.geometricMean(), DECIMALS, Goal.atMost(MEAN)));
      told.add(Figure.judged("most-" + threads, sample.max(), DECIMALS, Goal.atMost(EACH)));
    });
    String refused = cases.refused().isEmpty()
      ? "none"
      : cases.refused().stream().map("`%s`"::formatted).collect(Collectors.joining("; "));
    return new Section("All cases", """
      The ratio is Cairn's time over ONNX Runtime's, below 1 where Cairn is faster.

      - Operators of ONNX's own domain that no form fits, so that they have no case: %s
      - Cases that ONNX Runtime accepts and Cairn refuses, or computes differently: %s
      """.formatted(cases.without().isEmpty() ? "none" : String.join(", ", cases.without()), refused), table, told);
  }

  private static String count(List<Double> ratios, double most) {
    return Long.toString(ratios.stream().filter(it -> it <= most).count());
  }

  /** One row for each operator, that of the largest ratio first. */
  private Section operators() {
    var table = new MarkdownTable("operator", "cases", "geometric mean", "largest");
    Map<String, List<Double>> byOperator = figures.stream().collect(Collectors.groupingBy(it -> it.of().operator(),
      TreeMap::new, Collectors.mapping(BreadthFigure::ratio, Collectors.toList())));
    byOperator.entrySet().stream().sorted(Comparator.comparingDouble(it -> -Sample.of(it.getValue()).geometricMean()))
      .forEach(it -> {
        Sample ratios = Sample.of(it.getValue());
        table.row(it.getKey(), Integer.toString(it.getValue().size()), two(ratios.geometricMean()), two(ratios.max()));
      });
    return new Section("By operator", "The ratios of all cases of an operator.\n", table, List.of());
  }

  private Section table() {
    var table = new MarkdownTable("case", "threads", "Cairn, µs", "ONNX Runtime, µs", "ratio");
    figures.stream().sorted(Comparator.comparingDouble(it -> -it.ratio())).forEach(it -> table.row(it.of().toString(),
      Integer.toString(it.threads()), micros(it.turns().cairnNanos()), micros(it.turns().ortNanos()), two(it
        .ratio())));
    return new Section("By ratio", "The time of a run is the least of the turns.\n", table, List.of());
  }

  private static String micros(Sample nanos) {
    return MarkdownTable.number(1, nanos.min() / 1e3);
  }

  private static String two(double number) {
    return MarkdownTable.number(DECIMALS, number);
  }
}
