package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.ArenaKind;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** How long the slowest single operations take. */
final class TailTable implements FigureTable {
  private static final Goal GOAL = Goal.atMost(2);
  private static final double JUDGED_PERCENT = 99.9;
  private static final double[] PERCENTS = {50, 99, JUDGED_PERCENT, 99.99};

  @Override
  public String name() {
    return "tail";
  }

  @Override
  public Section measured(Effort effort) {
    List<List<Histogram>> rows = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int round = -1; round < effort.rounds(); round++) {
      List<Histogram> scores = List.of(OperationTimes.of(ArenaKind.CAIRN, effort), OperationTimes.of(ArenaKind.ORT,
        effort), OperationTimes.ofTheTimer(effort.replaced()));
      for (int i = 0; round >= 0 && i < scores.size(); i++) {
        rows.get(i).add(scores.get(i));
      }
    }
    var table = new MarkdownTable("one operation", "p50, ns", "p99, ns", "p99.9, ns", "p99.99, ns", "longest, µs");
    List<String> names = List.of("Cairn", "ONNX Runtime", "the timer");
    for (int i = 0; i < rows.size(); i++) {
      table.row(cells(names.get(i), rows.get(i)));
    }
    double micros = percentile(rows.get(0), JUDGED_PERCENT).median() / 1000;
    System.err.printf(Locale.ROOT, "tail: cairn p99.9=%.2fus ort p99.9=%.2fus%n", micros,
      percentile(rows.get(1), JUDGED_PERCENT).median()
        / 1000);
    return new Section("Single operations", text(effort), table,
      List.of(Figure.judged("p99.9us", micros, 2, GOAL)));
  }

  private static Sample percentile(List<Histogram> rounds, double percent) {
    return Sample.of(rounds.stream().map(it -> it.getValueAtPercentile(percent)).toList());
  }

  private static String[] cells(String name, List<Histogram> rounds) {
    List<String> cells = new ArrayList<>(List.of(name));
    for (double percent : PERCENTS) {
      cells.add(String.format(Locale.ROOT, "%.0f", percentile(rounds, percent).median()));
    }
    cells.add(String.format(Locale.ROOT, "%.1f", percentile(rounds, 100).median() / 1000));
    return cells.toArray(String[]::new);
  }

  private static String text(Effort effort) {
    return """
      Each request and each release timed by itself, while %s chunks of mixed sizes are live and are replaced at
      random; no region is added. The timer's own share is in the figures, and shown below them: two readings of the
      clock with nothing between. Medians over the rounds; what interrupts the process is in them, too.
      """.formatted(LiveTable.count(effort.tailLive()));
  }
}
