package dev.cairn.runtime.compile;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import dev.cairn.runtime.memory.planner.ReusePlanner;
import dev.cairn.runtime.memory.planner.search.SearchPlanner;
import java.util.Arrays;
import java.util.Locale;

/** The planners by the names that people type. */
public enum PlannerChoice {
  /** Offsets in one arena, best fit by size, the best of several orders. */
  BEST_FIT,
  /** The same, and a search from there: smaller arenas, some 50 milliseconds more where greedy is not optimal. */
  SEARCH,
  /** Inductor's memory_plan_reuse: a freed buffer serves the next one of equal size and type. */
  REUSE,
  /** No sharing at all: what the plans are measured against. */
  NAIVE;

  public MemoryPlanner planner() {
    return switch (this) {
      case BEST_FIT -> BestFitPortfolio.ALL;
      case SEARCH -> SearchPlanner.DEFAULT;
      case REUSE -> ReusePlanner.PLAIN;
      case NAIVE -> NaivePlanner.ARENA;
    };
  }

  /** @throws IllegalArgumentException with all names, when there is none of this name */
  public static PlannerChoice of(String name) {
    return Arrays.stream(values())
      .filter(it -> it.toString().equals(name))
      .findFirst()
      .orElseThrow(() -> new IllegalArgumentException(
        "no such planner: name=%s planners=%s".formatted(name, Arrays.toString(values()))));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
