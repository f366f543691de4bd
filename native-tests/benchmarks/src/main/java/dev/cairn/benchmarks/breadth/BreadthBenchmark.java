package dev.cairn.benchmarks.breadth;

import ai.onnxruntime.OrtException;
import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.FiguresPage;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.PageOptions;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code breadth}: every operator in many forms, sizes and element types, beside ONNX Runtime in one process. */
public final class BreadthBenchmark implements Benchmark {
  @Override
  public String name() {
    return "breadth";
  }

  @Override
  public String description() {
    return "every operator in many forms, sizes and element types, beside ONNX Runtime in one process";
  }

  @Override
  public String options() {
    return BreadthOptions.USAGE;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    BreadthOptions options = BreadthOptions.parse(arguments, Runtime.getRuntime().availableProcessors());
    Origin origin = Origin.here(name(), arguments);
    try (var folder = new TemporaryFolder()) {
      Path file = folder.path().resolve("case.onnx");
      BreadthCases found = BreadthCases.find(options.operators(), options.seed(), file);
      BreadthCases cases = options.sample() == 0 ? found : found.sample(options.sample(), options.seed());
      if (cases.all().isEmpty()) {
        throw new IllegalArgumentException("no cases: operators=" + options.operators());
      }
      System.err.printf("%d cases%n", cases.all().size());
      List<BreadthFigure> figures = new ArrayList<>();
      for (BreadthCase one : cases.all()) {
        for (int threads : options.threads()) {
          figures.add(measured(one, threads, options, file));
        }
      }
      String about = "Turns of about %.0f ms alternate in one process; the least of %d counts. Seed %d.".formatted(
        options.effort().seconds() * 1e3, options.effort().turns(), options.seed());
      var page = new FiguresPage(name(), "Operators in breadth: time beside ONNX Runtime", about,
        new PageOptions(options
          .quick(), options.write(), List.of()));
      return page.print(new BreadthPage(figures, cases).sections(), List.of(), origin, places);
    }
  }

  private static BreadthFigure measured(BreadthCase one, int threads, BreadthOptions options, Path file)
    throws IOException {
    try (BothEngines engines = BothEngines.open(one, options.seed(), threads, file)) {
      var figure = new BreadthFigure(one, threads, BreadthTurns.taken(engines, options.effort()));
      System.err.printf("%6.2f %9.1f %9.1f µs  %s, threads %d%n", figure.ratio(), figure.turns().cairnNanos().min()
        / 1e3, figure.turns().ortNanos().min() / 1e3, one, threads);
      return figure;
    } catch (OrtException e) {
      throw new IllegalStateException("ONNX Runtime failed: case=" + one, e);
    }
  }
}
