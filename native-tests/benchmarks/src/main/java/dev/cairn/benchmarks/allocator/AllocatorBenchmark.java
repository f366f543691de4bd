package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.OrtArena;
import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** {@code allocator}: Cairn's allocator beside ONNX Runtime's arena, in one process, in turns. */
public final class AllocatorBenchmark implements Benchmark {
  /** In the order of the page. */
  static final List<FigureTable> TABLES = List.of(new HotPathTable(), new LiveTable(), new TooSmallTable(),
    new ThreadsTable());

  @Override
  public String name() {
    return "allocator";
  }

  @Override
  public String description() {
    return "time of Cairn's allocator, beside ONNX Runtime's arena in the same process";
  }

  @Override
  public String options() {
    return AllocatorOptions.USAGE;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException, InterruptedException {
    AllocatorOptions options = AllocatorOptions.parse(arguments);
    List<String> names = TABLES.stream().map(FigureTable::name).toList();
    if (!names.containsAll(options.tables())) {
      throw new IllegalArgumentException("no such table: given=%s tables=%s".formatted(options.tables(), names));
    }
    List<FigureTable> wanted = TABLES.stream().filter(options::wants).toList();
    if (!OrtArena.isThere()) {
      throw new IllegalStateException("skipped: ONNX Runtime has no library for this machine");
    }
    Origin origin = Origin.here(name(), arguments);
    List<Section> sections = new ArrayList<>();
    for (FigureTable table : wanted) {
      sections.add(table.measured(options.effort()));
    }
    var page = new AllocatorPage(sections, options);
    Outcome outcome = page.outcome();
    String text = page.text(origin, OrtArena.version(), outcome.line(name()));
    System.out.println(text);
    if (options.write()) {
      Files.createDirectories(places.page(name()).getParent());
      Files.writeString(places.page(name()), text);
    }
    return outcome;
  }
}
