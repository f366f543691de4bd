package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The goals, and whether the figures reach them. Latency and memory beside ONNX Runtime have no goal yet. */
final class ModelsVerdict {
  /** Geometric mean over all models of plan peak / lower bound. */
  static final double MAX_OF_BOUND = 1.10;
  /** One run of the reference ResNet-50 with batch 1 and {@link #GOAL_THREADS} threads. */
  static final double MAX_RESNET_MILLIS = 150;
  static final int GOAL_THREADS = 2;

  private ModelsVerdict() {}

  /**
   * The goal about ResNet-50 is judged where it was measured with two threads; where not, the figures say so.
   *
   * @param models at least one
   * @param skipped names of models that were wanted and are not there
   */
  static Outcome of(List<ModelFigures> models, List<String> skipped) {
    double ofBound = geometricMean(models, it -> it.plan().ofBound());
    Optional<Double> resnet = models.stream().filter(it -> it.name().equals(Subject.RESNET_50))
      .flatMap(it -> it.comparisons().stream()).filter(it -> it.threads() == GOAL_THREADS)
      .map(it -> it.cairn(Measurement::millis)).findFirst();
    List<String> figures = new ArrayList<>();
    figures.add(text("models=%d", models.size()));
    if (!skipped.isEmpty()) {
      figures.add(text("skipped-no-data=%d", skipped.size()));
    }
    figures.add(text("plan/bound=%.4f", ofBound));
    figures.add(text("plan/naive=%.4f", geometricMean(models, it -> it.plan().ofSeparate())));
    figures.add(resnet.map(it -> text("resnet50@2=%.1fms", it)).orElse("resnet50@2=not-measured"));
    for (Comparison one : models.get(0).comparisons()) {
      int threads = one.threads();
      figures.add(text("speedup@%d=%.2f", threads, geometricMean(models, it -> it.at(threads).speedups().median())));
      figures.add(text("memory@%d=%.2f", threads, geometricMean(models, it -> it.at(threads).memoryRatio())));
    }
    List<String> goals = new ArrayList<>(List.of(text("plan/bound<=%.2f", MAX_OF_BOUND)));
    resnet.ifPresent(it -> goals.add(text("resnet50@2<=%.0fms", MAX_RESNET_MILLIS)));
    return new Outcome(String.join(" ", figures), String.join(",", goals),
      ofBound <= MAX_OF_BOUND && resnet.orElse(0.0) <= MAX_RESNET_MILLIS);
  }

  static double geometricMean(List<ModelFigures> models, ToDoubleFunction<ModelFigures> figure) {
    return Sample.of(models.stream().map(figure::applyAsDouble).toList()).geometricMean();
  }

  private static String text(String format, Object value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String text(String format, int threads, double value) {
    return String.format(Locale.ROOT, format, threads, value);
  }
}
