package dev.cairn.benchmarks.planning;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.compile.PlannerChoice;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Every planner on every public problem: how close it comes to the bound, and how long it takes. */
final class PlannersTable implements PlanningTable {
  private static final int SEARCH_SECONDS = 2;

  @Override
  public String name() {
    return "planners";
  }

  @Override
  public List<Section> measured(Places places, PlanningEffort effort) {
    List<Section> sections = new ArrayList<>();
    sections.addAll(sections("MiniMalloc's hard sets", NamedProblem.hard(places), effort));
    sections.addAll(sections("Traces of training runs", NamedProblem.traces(places).stream().filter(effort::wants)
      .toList(), effort));
    return sections;
  }

  private static List<Section> sections(String title, List<NamedProblem> problems, PlanningEffort effort) {
    if (problems.isEmpty()) {
      return List.of();
    }
    Map<PlannerChoice, List<Optional<Timed>>> rows = new EnumMap<>(PlannerChoice.class);
    for (PlannerChoice choice : PlannerChoice.ofProblems()) {
      rows.put(choice, problems.stream().map(it -> timed(choice, it, effort)).toList());
    }
    return List.of(new Section(title + ": every planner", """
      Peak over lower bound, 1 at best; "-" where the planner does not know what the problem asks for. Planners that
      search have %d s.""".formatted(SEARCH_SECONDS), table("peak / bound", problems, rows, it -> number(4, it.score()
      .ratio())), List.of()), new Section(title + ": planning time, ms", """
        The median of up to %d plannings after the first; of one that takes long, the first.""".formatted(effort
        .rounds() - 1), table("ms", problems, rows, it -> number(it.millis() < 10 ? 2 : 0, it.millis())), List.of()));
  }

  private static Optional<Timed> timed(PlannerChoice choice, NamedProblem it, PlanningEffort effort) {
    System.err.printf("%-16s %s%n", choice, it.name());
    try {
      return Optional.of(Timed.of(choice.planner(effort.budget(SEARCH_SECONDS)), it.problem(), effort.rounds()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static MarkdownTable table(String head, List<NamedProblem> problems,
    Map<PlannerChoice, List<Optional<Timed>>> rows, Function<Timed, String> cell) {
    var table = new MarkdownTable(Stream.concat(Stream.of(head), problems.stream().map(NamedProblem::name)).toArray(
      String[]::new));
    rows.forEach((choice, timed) -> table.row(Stream.concat(Stream.of(choice.toString()), timed.stream().map(it -> it
      .map(cell).orElse("-"))).toArray(String[]::new)));
    return table;
  }
}
