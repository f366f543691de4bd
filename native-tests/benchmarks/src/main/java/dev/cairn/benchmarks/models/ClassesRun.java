package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.written.ModelClasses;
import dev.cairn.benchmarks.written.WrittenModel;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** {@code models --classes}: latency and plan of a small model of each class that people run. */
final class ClassesRun {
  private static final String QUANTIZED = "quantized-embedding";
  private static final double MOST = 1;
  private static final double MOST_OF_QUANTIZED = 1.11;

  private ClassesRun() {}

  private static Map<String, Supplier<WrittenModel>> models() {
    Map<String, Supplier<WrittenModel>> models = new LinkedHashMap<>();
    models.put("voice-activity", ModelClasses::voiceActivity);
    models.put("text-detection", () -> ModelClasses.textDetection(64, 96));
    models.put("text-recognition", ModelClasses::textRecognition);
    models.put("object-detection", ModelClasses::objectDetection);
    models.put("speech", ModelClasses::speech);
    models.put(QUANTIZED, ModelClasses::quantizedEmbedding);
    models.put("diffusion", () -> ModelClasses.diffusion(32));
    models.put("greedy-decoder", ModelClasses::greedyDecoder);
    return models;
  }

  static Outcome run(String benchmark, ModelsOptions options, Origin origin, Places places) throws IOException,
    InterruptedException {
    var section = BesideOrt.measured(models(), options).section("Small models", """
      One small model of each class, with random weights, as exporters write it. Most of a run's time is what the
      engine adds to its kernels. The ratio is Cairn's latency over ONNX Runtime's, below 1 where Cairn is faster: the
      median of the rounds' ratios, and their range. [What limits
      them](../performance.md#models-of-some-tens-of-microseconds), with figures of single threads and of other days.
      """, name -> name.equals(QUANTIZED) ? MOST_OF_QUANTIZED : MOST);
    return new RatiosPage("Classes of models: latency beside ONNX Runtime", origin, options,
      List.of(section, ClassesPlans
        .section(models())))
      .publish(
        benchmark, places.page("classes"));
  }
}
