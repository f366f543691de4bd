package dev.cairn.benchmarks.planning;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.compile.StandAlonePlanning;
import dev.cairn.runtime.memory.LowerBound;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** MiniMalloc's hard sets: how long until a plan fits the capacity, and how far the smallest plan is found. */
final class HardSetsTable implements PlanningTable {
  private static final int SETS = 11;
  private static final int MOST_SECONDS = 10;
  private static final double MOST_SECONDS_TOGETHER = 29.4;
  /** Milliseconds of MiniMalloc as published (ASPLOS 2023, slides). */
  private static final Map<String, Integer> PUBLISHED = Map.ofEntries(Map.entry("A", 4910), Map.entry("B", 3661), Map
    .entry("C", 637), Map.entry("D", 2674), Map.entry("E", 3717), Map.entry("F", 5358), Map.entry("G", 1181),
    Map.entry(
      "H", 1808),
    Map.entry("I", 3908), Map.entry("J", 883), Map.entry("K", 628));

  @Override
  public String name() {
    return "hard";
  }

  @Override
  public List<Section> measured(Places places, PlanningEffort effort) {
    List<NamedProblem> problems = NamedProblem.hard(places);
    return problems.isEmpty() ? List.of() : List.of(fitting(problems, effort), smallest(problems, effort));
  }

  private static Section fitting(List<NamedProblem> problems, PlanningEffort effort) {
    var table = new MarkdownTable("set", "buffers", "lower bound", "peak", "fits", "seconds", "published, C++");
    double longest = 0;
    double sum = 0;
    int fitting = 0;
    for (NamedProblem it : problems) {
      System.err.printf("hard, to fit     %s%n", it.name());
      var solution = solve(it, NamedProblem.HARD_CAPACITY, effort);
      double seconds = solution.nanos() / 1e9;
      boolean fits = solution.plan().peakBytes() <= NamedProblem.HARD_CAPACITY;
      longest = Math.max(longest, seconds);
      sum += seconds;
      fitting += fits ? 1 : 0;
      table.row(it.name(), Integer.toString(it.problem().size()), Long.toString(LowerBound.of(it.problem()).bytes()),
        Long.toString(solution.plan().peakBytes()), fits ? "yes" : "no", number(3, seconds), number(3, PUBLISHED
          .getOrDefault(it.name(), 0) / 1e3));
    }
    table.row("together", "", "", "", "%d of %d".formatted(fitting, SETS), number(3, sum), number(3, PUBLISHED.values()
      .stream().mapToInt(it -> it).sum() / 1e3));
    return new Section("MiniMalloc's hard sets: time to fit %d".formatted(NamedProblem.HARD_CAPACITY), """
      The planner for problems that stand alone, one after the other in this process; it stops at the first plan that
      fits. The goals: all %d fit, each within %d s and together within %s s, the sum published for MiniMalloc."""
      .formatted(SETS, MOST_SECONDS, number(1, MOST_SECONDS_TOGETHER)), table,
      List.of(
        Figure.judged("hard-fit", fitting, 0, Goal.atLeast(SETS)),
        Figure.judged("hard-longest-s", longest, 2, Goal.atMost(MOST_SECONDS)),
        Figure.judged("hard-sum-s", sum, 2, Goal.atMost(MOST_SECONDS_TOGETHER))));
  }

  private static Section smallest(List<NamedProblem> problems, PlanningEffort effort) {
    var table = new MarkdownTable("set", "peak", "/ lower bound", "no plan takes less than", "smallest", "seconds");
    int optimal = 0;
    for (NamedProblem it : problems) {
      System.err.printf("hard, smallest   %s%n", it.name());
      var solution = solve(it, Long.MAX_VALUE, effort);
      optimal += solution.isOptimal() ? 1 : 0;
      double ratio = (double) solution.plan().peakBytes() / LowerBound.of(it.problem()).bytes();
      table.row(it.name(), Long.toString(solution.plan().peakBytes()), number(4, ratio), Long.toString(solution
        .provenBytes()), solution.isOptimal() ? "yes" : "not known", number(3, solution.nanos() / 1e9));
    }
    return new Section("MiniMalloc's hard sets: the smallest plan", """
      The same without a capacity, for at most %d s each: how small a plan is found, and what is known of smaller ones.
      The best heights that public tools have found are 1038336 for D and 1041408 for J; the bounds of the others are
      reached by them.""".formatted(MOST_SECONDS), table, List.of(Figure.told("hard-optimal", optimal, 0)));
  }

  private static StandAlonePlanning.Solution solve(NamedProblem it, long capacityBytes, PlanningEffort effort) {
    return new StandAlonePlanning(Optional.empty(), effort.budget(MOST_SECONDS)).solve(it.problem(), capacityBytes);
  }
}
