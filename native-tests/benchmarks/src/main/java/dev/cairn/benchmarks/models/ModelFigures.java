package dev.cairn.benchmarks.models;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that was measured of one model.
 *
 * @param comparisons one for each number of threads
 * @param concurrent two runs at a time, of one thread each; none where it was not measured
 * @param bfloat16 Cairn in {@code bfloat16}, at the first number of threads; none where it was not measured
 * @param parts Cairn with one part switched off, at the first number of threads; none where it was not measured
 */
record ModelFigures(String name, PlanFigures plan, List<Comparison> comparisons, Optional<Comparison> concurrent,
  Optional<Comparison> bfloat16, Map<EngineChoice, Measurement> parts) {
  ModelFigures {
    comparisons = List.copyOf(comparisons);
    parts = Map.copyOf(parts);
  }

  /** How many times as fast Cairn is with a part as without it. */
  double gain(EngineChoice without) {
    Measurement measured = parts.get(without);
    if (measured == null) {
      throw new IllegalArgumentException("not measured: model=%s engine=%s".formatted(name, without));
    }
    return measured.medianNanos() / comparisons.getFirst().cairn(Measurement::medianNanos);
  }

  /** @throws IllegalArgumentException when not measured with so many threads */
  Comparison at(int threads) {
    return comparisons.stream().filter(it -> it.threads() == threads).findFirst().orElseThrow(
      () -> new IllegalArgumentException("not measured: model=%s threads=%d".formatted(name, threads)));
  }
}
