package dev.cairn.benchmarks.fragmentation;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/** {@code fragmentation}: fixed and growing pools over MiniMalloc's traces, under several options. */
public final class FragmentationBenchmark implements Benchmark {
  private static final String WRITE = "--write";

  @Override
  public String name() {
    return "fragmentation";
  }

  @Override
  public String description() {
    return "memory that the allocator needs beyond what is live, over MiniMalloc's traces";
  }

  @Override
  public String options() {
    return "[" + WRITE + "]";
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    if (!List.of(WRITE).containsAll(arguments)) {
      throw new IllegalArgumentException("no such option: options=" + arguments);
    }
    Path folder = places.data("minimalloc").resolve("challenging");
    List<NamedTrace> traces = NamedTrace.read(folder);
    if (traces.isEmpty()) {
      throw new IllegalArgumentException("skipped: no data: traces=%s folder=%s".formatted(NamedTrace.NAMES, folder));
    }
    FragmentationFigures figures = FragmentationFigures.measured(traces, TraceVariant.ALL);
    figures.skipped().forEach(name -> System.err.printf("%s skipped: no data%n", name));
    Outcome outcome = FragmentationVerdict.of(figures);
    String page = new FragmentationPage(figures).text(LocalDate.now(ZoneOffset.UTC), outcome.line(name()));
    System.out.println(page);
    if (arguments.contains(WRITE)) {
      if (!figures.skipped().isEmpty()) {
        throw new IllegalStateException("only figures of all traces are kept: missing=" + figures.skipped());
      }
      Files.createDirectories(places.page(name()).getParent());
      Files.writeString(places.page(name()), page);
    }
    return outcome;
  }
}
