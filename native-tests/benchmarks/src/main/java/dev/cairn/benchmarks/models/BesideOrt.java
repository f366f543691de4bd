package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.ChildJvm;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.harness.TemporaryFolder;
import dev.cairn.benchmarks.written.WrittenModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Latencies of written models beside ONNX Runtime's, with one goal for each ratio.
 *
 * @param names of the models
 * @param comparisons one of each model
 */
record BesideOrt(List<String> names, List<Comparison> comparisons) {

  /**
   * Measures the models that the options want, with the first of their numbers of threads.
   *
   * @throws IllegalArgumentException when there is no model of a name that the options give
   */
  static BesideOrt measured(Map<String, Supplier<WrittenModel>> models, ModelsOptions options) throws IOException,
    InterruptedException {
    if (!models.keySet().containsAll(options.models())) {
      throw new IllegalArgumentException("no such model: given=%s models=%s".formatted(options.models(), models
        .keySet()));
    }
    List<String> names = models.keySet().stream()
      .filter(it -> options.models().isEmpty() || options.models().contains(it)).toList();
    List<Comparison> comparisons = new ArrayList<>();
    try (var folder = new TemporaryFolder()) {
      var children = new ChildJvm(folder.path(), ModelsBenchmark.LIMIT_OF_A_PROCESS);
      for (Map.Entry<String, Supplier<WrittenModel>> model : models.entrySet()) {
        if (names.contains(model.getKey())) {
          Path file = Files.write(folder.path().resolve("model.onnx"), model.getValue().get().file());
          Comparison one = Comparison.measured(EngineChoice.CAIRN, file, options.threads().getFirst(), 1, options,
            children);
          System.err.printf("%-20s cairn=%.3fms ort=%.3fms ratio=%s%n", model.getKey(), one.cairn(Measurement::millis),
            one.ort(Measurement::millis), one.ratios().withSpread());
          comparisons.add(one);
        }
      }
    }
    return new BesideOrt(names, comparisons);
  }

  /**
   * One row and one figure for each model.
   *
   * @param most the largest ratio that reaches the goal, by name of the model
   */
  Section section(String title, String text, ToDoubleFunction<String> most) {
    var table = new MarkdownTable("model", "Cairn, ms", "ONNX Runtime, ms", "ratio (spread)", "goal");
    List<Figure> figures = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Comparison one = comparisons.get(i);
      Goal goal = Goal.atMost(most.applyAsDouble(names.get(i)));
      table.row(names.get(i), MarkdownTable.number(3, one.cairn(Measurement::millis)), MarkdownTable.number(3, one.ort(
        Measurement::millis)), one.ratios().withSpread(), goal.toString());
      figures.add(Figure.judged(names.get(i), one.ratios().median(), 2, goal));
    }
    return new Section(title, text, table, figures);
  }
}
