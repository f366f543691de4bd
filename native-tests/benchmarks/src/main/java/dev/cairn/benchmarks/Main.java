package dev.cairn.benchmarks;

import dev.cairn.benchmarks.allocator.AllocatorBenchmark;
import dev.cairn.benchmarks.breadth.BreadthBenchmark;
import dev.cairn.benchmarks.busy.BusyBenchmark;
import dev.cairn.benchmarks.engine.EngineBenchmark;
import dev.cairn.benchmarks.gpu.GpuBenchmark;
import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.imperative.ImperativeBenchmark;
import dev.cairn.benchmarks.models.ModelsBenchmark;
import dev.cairn.benchmarks.models.OperatorsBenchmark;
import dev.cairn.benchmarks.models.QuantizedBenchmark;
import dev.cairn.benchmarks.planning.PlanningBenchmark;
import dev.cairn.benchmarks.recompute.RecomputeBenchmark;
import dev.cairn.benchmarks.training.TrainingBenchmark;
import dev.cairn.kernels.cpu.vector.VectorModule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * {@code NAME [options]}: runs one benchmark. Exit code 0 when its goals are reached, 1 when not or failed, 2 for
 * wrong use.
 */
public final class Main {
  private static final List<Benchmark> BENCHMARKS = List.of(new ModelsBenchmark(), new AllocatorBenchmark(),
    new PlanningBenchmark(), new EngineBenchmark(), new ImperativeBenchmark(), new GpuBenchmark(),
    new OperatorsBenchmark(), new BreadthBenchmark(), new QuantizedBenchmark(), new TrainingBenchmark(),
    new RecomputeBenchmark(), new BusyBenchmark());
  private static final int SHORT = 1;
  private static final int USAGE = 2;

  private Main() {}

  /** The benchmark's table and its one line go to standard output, progress to standard error. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    boolean _ = VectorModule.load();
    List<String> given = List.of(arguments);
    Optional<Benchmark> benchmark = BENCHMARKS.stream().filter(it -> !given.isEmpty() && it.name().equals(given.get(0)))
      .findFirst();
    if (benchmark.isEmpty()) {
      System.err.println(usage(given));
      System.exit(USAGE);
      return;
    }
    System.exit(run(benchmark.get(), given.subList(1, given.size())));
  }

  private static int run(Benchmark benchmark, List<String> options) throws IOException, InterruptedException {
    try {
      var places = new Places(Path.of(System.getProperty("cairn.root", ".")),
        Path.of(System.getProperty("cairn.shared", "../shared")));
      Outcome outcome = benchmark.run(options, places);
      System.out.println(outcome.line(benchmark.name()));
      return outcome.passed() ? 0 : SHORT;
    } catch (IllegalArgumentException e) {
      System.err.printf("%s: %s%n  options: %s%n", benchmark.name(), e.getMessage(), benchmark.options());
      return USAGE;
    }
  }

  private static String usage(List<String> given) {
    var text = new StringBuilder("no such benchmark: name=%s%n".formatted(given.isEmpty() ? "" : given.get(0)));
    BENCHMARKS.forEach(it -> text.append("  %s %s%n      %s%n".formatted(it.name(), it.options(), it.description())));
    return text.toString().stripTrailing();
  }
}
