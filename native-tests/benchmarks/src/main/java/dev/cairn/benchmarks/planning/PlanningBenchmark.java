package dev.cairn.benchmarks.planning;

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

/** {@code planning}: every planner on public problems and on Cairn's own, against the lower bound and the clock. */
public final class PlanningBenchmark implements Benchmark {
  /** In the order of the page. */
  static final List<PlanningTable> TABLES = List.of(new HardSetsTable(), new TracesTable(), new ModelsTable(),
    new StreamsTable(), new SpeedTable(), new PlannersTable());

  @Override
  public String name() {
    return "planning";
  }

  @Override
  public String description() {
    return "peak over lower bound and planning time of every planner, on public problems and Cairn's own models";
  }

  @Override
  public String options() {
    return PageOptions.USAGE_WITH_TABLES;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    PageOptions options = PageOptions.parse(arguments, TABLES.stream().map(PlanningTable::name).toList());
    Origin origin = Origin.here(name(), arguments);
    PlanningEffort effort = options.quick() ? PlanningEffort.QUICK : PlanningEffort.FULL;
    List<Section> sections = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (PlanningTable table : TABLES.stream().filter(it -> options.wants(it.name())).toList()) {
      List<Section> measured = table.measured(places, effort);
      sections.addAll(measured);
      if (measured.isEmpty()) {
        skipped.add(table.name());
      }
    }
    return new FiguresPage(name(), "Planning: how small plans are, and how fast they are made",
      "What the planners do: [planning](../planning.md).", options).print(sections, skipped, origin, places);
  }
}
