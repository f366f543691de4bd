package dev.cairn.benchmarks.recompute;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.FiguresPage;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.PageOptions;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code recompute}: what fitting a budget costs, and how long finding out takes. */
public final class RecomputeBenchmark implements Benchmark {
  private static final List<RecomputeTable> TABLES = List.of(new PublishedTable(), new SearchTimeTable(),
    new ModesTable(),
    new IterationsTable());

  @Override
  public String name() {
    return "recompute";
  }

  @Override
  public String description() {
    return "overhead of recomputation by budget, over proved bounds, other systems' rules and measured time";
  }

  @Override
  public String options() {
    return PageOptions.USAGE_WITH_TABLES;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    PageOptions options = PageOptions.parse(arguments, TABLES.stream().map(RecomputeTable::name).toList());
    Origin origin = Origin.here(name(), arguments);
    List<Section> sections = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (RecomputeTable table : TABLES.stream().filter(it -> options.wants(it.name())).toList()) {
      System.err.printf("recompute        %s%n", table.name());
      Optional<Section> measured = table.measured(places, options.quick());
      measured.ifPresentOrElse(sections::add, () -> skipped.add(table.name()));
    }
    return new FiguresPage(name(), "Recomputation: what fitting a budget costs",
      "What recomputation does: [recomputation](../recompute.md).", options)
      .print(sections, skipped, origin, places);
  }
}
