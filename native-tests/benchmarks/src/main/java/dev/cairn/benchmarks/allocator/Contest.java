package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Sample;
import java.util.List;
import java.util.Locale;

/**
 * Cairn beside ONNX Runtime, on one workload.
 *
 * @param rule the workload's name, and what is wanted
 * @param cairn nanoseconds an operation
 * @param ort nanoseconds an operation
 * @param ratios Cairn's time over ONNX Runtime's, of each round
 */
record Contest(Rule rule, Sample cairn, Sample ort, Sample ratios) {

  /**
   * The subject of a contest.
   *
   * @param key of its figure
   * @param name of its row
   * @param goal for the ratio
   */
  record Rule(String key, String name, Goal goal) {}

  /** @param played Cairn's turns, then ONNX Runtime's */
  static Contest of(Rule rule, Rounds played) {
    var contest = new Contest(rule, played.of(0), played.of(1), played.ratios(0, 1));
    System.err.printf(Locale.ROOT, "%s: cairn=%.1fns ort=%.1fns ratio=%s%n", rule.name, contest.cairn.median(),
      contest.ort.median(), contest.ratios.withSpread());
    return contest;
  }

  Figure figure() {
    return Figure.judged(rule.key, ratios.median(), 2, rule.goal);
  }

  static MarkdownTable table(List<Contest> contests) {
    var table = new MarkdownTable("workload", "Cairn, ns", "ONNX Runtime, ns", "ratio (spread)", "goal");
    contests.forEach(it -> table.row(it.rule.name, nanos(it.cairn), nanos(it.ort), it.ratios.withSpread(),
      it.rule.goal.toString()));
    return table;
  }

  /** The median, as a cell. */
  static String nanos(Sample sample) {
    return String.format(Locale.ROOT, "%.1f", sample.median());
  }
}
