package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.written.OperatorModels;
import java.io.IOException;
import java.util.List;

/** {@code operators}: latency of single operators, beside ONNX Runtime. */
public final class OperatorsBenchmark implements Benchmark {
  private static final double MOST = 1.5;

  @Override
  public String name() {
    return "operators";
  }

  @Override
  public String description() {
    return "latency of single operators that models spend time in, beside ONNX Runtime in the same run";
  }

  @Override
  public String options() {
    return ModelsOptions.OF_WRITTEN;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException, InterruptedException {
    ModelsOptions options = ModelsOptions.parse(arguments, Runtime.getRuntime().availableProcessors());
    Origin origin = Origin.here(name(), arguments);
    var section = BesideOrt.measured(OperatorModels.all(), options).section("Single operators", """
      Latency of a model of one operator (attention: two Einsum, Mul and Softmax): the median over the rounds. The
      ratio is Cairn's latency over ONNX Runtime's, below 1 where Cairn is faster: the median of the rounds' ratios,
      and their range. [Figures of single threads and of other
      days](../performance.md#models-of-some-tens-of-microseconds).
      """, name -> MOST);
    return new RatiosPage("Operators: latency beside ONNX Runtime", origin, options, List.of(section)).publish(name(),
      places.page(name()));
  }
}
