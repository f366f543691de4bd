package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Made-up figures to calculate with. */
final class Figures {
  private Figures() {}

  /** A processor with or without AMX; two starts. */
  static MachineFigures machine(boolean hasTiles) {
    return new MachineFigures(hasTiles ? "oneDNN (bfloat16 by AMX)" : "portable", Sample.of(List.of(1, 1.5)));
  }

  /** A model whose plan takes {@code peakBytes} where 1000 is the bound, and 4000 are naive. */
  static ModelFigures model(String name, long peakBytes, Comparison... comparisons) {
    return new ModelFigures(name, new PlanFigures(peakBytes, 1000, 4000, 12, 7, 2_500_000, 40_000),
      List.of(comparisons), Optional.empty(), Optional.empty(), Map.of());
  }

  /** One round for each pair of latencies: Cairn's, ONNX Runtime's; peaks of 300 and 200 MB. */
  static Comparison comparison(int threads, double... millis) {
    List<Comparison.Round> rounds = new ArrayList<>();
    for (int i = 0; i < millis.length; i += 2) {
      rounds.add(new Comparison.Round(measurement(EngineChoice.CAIRN, millis[i], 300), measurement(EngineChoice.ORT,
        millis[i + 1], 200)));
    }
    return new Comparison(threads, 1, rounds);
  }

  static Measurement measurement(EngineChoice engine, double millis, long megabytes) {
    long nanos = Math.round(millis * 1e6);
    return new Measurement(engine, 500_000_000, nanos, nanos * 2, 10, megabytes * 1_000_000, new OutputDigest(0.5, 0));
  }
}
