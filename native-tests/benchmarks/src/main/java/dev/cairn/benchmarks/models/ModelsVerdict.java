package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The goals, and whether the figures reach them. */
final class ModelsVerdict {
  /** Geometric mean over all models of plan peak / lower bound. */
  static final double MAX_OF_BOUND = 1.01;
  /** The least speed-up over ONNX Runtime of any model: as fast, but for noise. */
  private static final double LEAST_SPEEDUP = 0.97;
  private static final double MEAN_SPEEDUP = 1.15;
  private static final double THROUGHPUT = 1.2;
  private static final double MOST_MEMORY = 1;
  private static final double MOST_OPENING = 1.2;
  /** The goal of models in {@code bfloat16}, if the processor has AMX. */
  private static final double BFLOAT16_SPEEDUP = 2;
  private static final double MOST_SECONDS_TO_A_RESULT = 2;

  private final List<String> figures = new ArrayList<>();
  private final List<String> goals = new ArrayList<>();
  private boolean isReached = true;

  private ModelsVerdict() {}

  /**
   * @param models at least one
   * @param skipped names of models that were wanted and are not there
   * @param machine what was measured once
   */
  static Outcome of(List<ModelFigures> models, List<String> skipped, MachineFigures machine) {
    var verdict = new ModelsVerdict();
    verdict.figures.add("models=" + models.size());
    if (!skipped.isEmpty()) {
      verdict.figures.add("skipped-no-data=" + skipped.size());
    }
    verdict.atMost("plan/bound", geometricMean(models, it -> it.plan().ofBound()), MAX_OF_BOUND);
    for (Comparison one : models.getFirst().comparisons()) {
      int threads = one.threads();
      verdict.atLeast("least-speedup@" + threads, models.stream().mapToDouble(it -> it.at(threads).speedups().median())
        .min().orElseThrow(), LEAST_SPEEDUP);
      verdict.atLeast("speedup@" + threads, geometricMean(models, it -> it.at(threads).speedups().median()),
        MEAN_SPEEDUP);
      verdict.atMost("memory@" + threads, geometricMean(models, it -> it.at(threads).memoryRatio()), MOST_MEMORY);
      verdict.atMost("open@" + threads, geometricMean(models, it -> it.at(threads).openRatio()), MOST_OPENING);
    }
    if (models.getFirst().concurrent().isPresent()) {
      verdict.atLeast("throughput", geometricMean(models, ModelsVerdict::throughput), THROUGHPUT);
    }
    for (ModelFigures model : models) {
      model.bfloat16().ifPresent(it -> verdict.bfloat16(model.name(), it.speedups().median(), machine.hasTiles()));
    }
    verdict.atMost("first-result-s", machine.firstResult().median(), MOST_SECONDS_TO_A_RESULT);
    return new Outcome(String.join(" ", verdict.figures), String.join(",", verdict.goals), verdict.isReached);
  }

  /** Throughput of concurrent runs over ONNX Runtime's. */
  static double throughput(ModelFigures model) {
    return model.concurrent().orElseThrow().speedups().median();
  }

  private void bfloat16(String model, double speedup, boolean hasTiles) {
    if (hasTiles) {
      atLeast("bfloat16-" + model, speedup, BFLOAT16_SPEEDUP);
    } else {
      figures.add(text("%s=%.2f", "bfloat16-without-amx-" + model, speedup));
    }
  }

  private void atMost(String name, double value, double most) {
    figures.add(text("%s=%.2f", name, value));
    goals.add(text("%s<=%.2f", name, most));
    isReached &= value <= most;
  }

  private void atLeast(String name, double value, double least) {
    figures.add(text("%s=%.2f", name, value));
    goals.add(text("%s>=%.2f", name, least));
    isReached &= value >= least;
  }

  static double geometricMean(List<ModelFigures> models, ToDoubleFunction<ModelFigures> figure) {
    return Sample.of(models.stream().map(figure::applyAsDouble).toList()).geometricMean();
  }

  private static String text(String format, String name, double value) {
    return String.format(Locale.ROOT, format, name, value);
  }
}
