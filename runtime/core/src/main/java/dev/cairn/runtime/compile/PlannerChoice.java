package dev.cairn.runtime.compile;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import dev.cairn.runtime.memory.planner.inductor.AllocationTreePlanner;
import dev.cairn.runtime.memory.planner.inductor.ReusePlanner;
import java.util.Arrays;
import java.util.Locale;

/** The planners by the names that people type. */
public enum PlannerChoice {
  /** Offsets in one arena, best fit by size, the best of several orders. */
  BEST_FIT,
  /** Inductor's memory_plan_reuse: a freed buffer serves the next one of equal size and type. */
  REUSE,
  /** The same with the newer peak test: no takeover whose idle bytes would raise the peak. */
  REUSE_PEAK_TEST,
  /** Inductor's memory_plan: pools cut in time and space by turns. */
  ALLOCATION_TREE,
  /** No sharing at all: what the plans are measured against. */
  NAIVE;

  public MemoryPlanner planner() {
    return switch (this) {
      case BEST_FIT -> BestFitPortfolio.ALL;
      case REUSE -> ReusePlanner.PLAIN;
      case REUSE_PEAK_TEST -> ReusePlanner.PEAK_TESTED;
      case ALLOCATION_TREE -> AllocationTreePlanner.INTERMEDIATES;
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
