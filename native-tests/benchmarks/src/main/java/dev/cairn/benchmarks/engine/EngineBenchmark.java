package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** {@code engine}: what pushing, waiting and replaying cost, beside MXNet's engine in this process. */
public final class EngineBenchmark implements Benchmark {
  /** In the order of the page. */
  static final List<EngineTable> TABLES = List.of(new PushTable(), new WaitTable(), new GarbageTable(),
    new PendingTable(), new LifecycleTable(), new NodeCostTable(), new TowersTable());

  @Override
  public String name() {
    return "engine";
  }

  @Override
  public String description() {
    return "time and garbage of Cairn's dependency engine, beside MXNet's in the same process";
  }

  @Override
  public String options() {
    return EngineRunOptions.USAGE;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    EngineRunOptions options = EngineRunOptions.parse(arguments);
    List<String> names = TABLES.stream().map(EngineTable::name).toList();
    if (!names.containsAll(options.tables())) {
      throw new IllegalArgumentException("no such table: given=%s tables=%s".formatted(options.tables(), names));
    }
    Origin origin = Origin.here(name(), arguments);
    Rivals rivals = Rivals.found(options.library());
    List<Section> sections = TABLES.stream().filter(options::wants)
      .map(it -> it.measured(rivals, options.effort())).toList();
    String mxnet = rivals.mxnet().map(it -> "version " + it.version()).orElse(Rivals.NOT_THERE);
    var page = new EnginePage(sections, mxnet, options);
    Outcome outcome = page.outcome();
    String text = page.text(origin, outcome.line(name()));
    System.out.println(text);
    if (options.write()) {
      Files.createDirectories(places.page(name()).getParent());
      Files.writeString(places.page(name()), text);
    }
    return outcome;
  }
}
