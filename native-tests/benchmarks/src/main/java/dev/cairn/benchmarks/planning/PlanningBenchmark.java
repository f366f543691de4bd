package dev.cairn.benchmarks.planning;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** {@code planning}: every planner on public problems and on Cairn's own, against the lower bound and the clock. */
public final class PlanningBenchmark implements Benchmark {
  /** In the order of the page. */
  static final List<PlanningTable> TABLES = List.of(new HardSetsTable(), new TracesTable(), new ModelsTable(),
    new OrtTable(), new StreamsTable(), new SpeedTable(), new PlannersTable());

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
    return PlanningOptions.USAGE;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    PlanningOptions options = PlanningOptions.parse(arguments);
    List<String> names = TABLES.stream().map(PlanningTable::name).toList();
    if (!names.containsAll(options.tables())) {
      throw new IllegalArgumentException("no such table: given=%s tables=%s".formatted(options.tables(), names));
    }
    Origin origin = Origin.here(name(), arguments);
    List<Section> sections = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (PlanningTable table : TABLES.stream().filter(options::wants).toList()) {
      List<Section> measured = table.measured(places, options.effort());
      sections.addAll(measured);
      if (measured.isEmpty()) {
        skipped.add(table.name());
      }
    }
    Outcome outcome = outcome(sections, skipped);
    String page = new PlanningPage(sections, skipped, options.quick()).text(origin, outcome.line(name()));
    System.out.println(page);
    if (options.write()) {
      Files.createDirectories(places.page(name()).getParent());
      Files.writeString(places.page(name()), page);
    }
    return outcome;
  }

  /** Passes only where no table is missing. */
  static Outcome outcome(List<Section> sections, List<String> skipped) {
    Outcome all = Section.outcome(sections);
    return skipped.isEmpty()
      ? all
      : new Outcome(all.figures() + " skipped-no-data=" + String.join(",", skipped), all.goals(), false);
  }
}
