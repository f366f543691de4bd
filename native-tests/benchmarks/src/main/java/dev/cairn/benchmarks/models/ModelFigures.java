package dev.cairn.benchmarks.models;

import java.util.List;

/**
 * All that was measured of one model.
 *
 * @param comparisons one for each number of threads
 */
record ModelFigures(String name, PlanFigures plan, List<Comparison> comparisons) {
  ModelFigures {
    comparisons = List.copyOf(comparisons);
  }

  /** @throws IllegalArgumentException when not measured with so many threads */
  Comparison at(int threads) {
    return comparisons.stream().filter(it -> it.threads() == threads).findFirst().orElseThrow(
      () -> new IllegalArgumentException("not measured: model=%s threads=%d".formatted(name, threads)));
  }
}
