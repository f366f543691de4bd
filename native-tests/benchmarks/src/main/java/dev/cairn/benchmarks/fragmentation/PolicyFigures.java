package dev.cairn.benchmarks.fragmentation;

import dev.cairn.benchmarks.harness.Sample;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * One policy's figures.
 *
 * @param figures of each trace, in the order of the traces
 * @param variants geometric mean over the traces for each variant
 * @param <F> figures of one trace
 */
record PolicyFigures<F>(PoolPolicy policy, List<F> figures, List<Double> variants) {

  /** @param main the figure that is taken of the variants */
  static <F> PolicyFigures<F> measured(PoolPolicy policy, List<NamedTrace> traces, List<TraceVariant> variants,
    Function<NamedTrace, F> measure, ToDoubleFunction<F> main) {
    System.err.printf("%-32s ...%n", policy.name());
    List<F> figures = traces.stream().map(measure).toList();
    List<Double> means = variants.stream().map(variant -> mean(traces.stream().map(it -> measure.apply(new NamedTrace(it
      .name(), variant.maker().apply(it.trace())))).toList(), main)).toList();
    return new PolicyFigures<>(policy, figures, means);
  }

  /** Geometric mean of a figure over the traces. */
  double mean(ToDoubleFunction<F> figure) {
    return mean(figures, figure);
  }

  private static <F> double mean(List<F> figures, ToDoubleFunction<F> figure) {
    return Sample.of(figures.stream().map(figure::applyAsDouble).toList()).geometricMean();
  }
}
