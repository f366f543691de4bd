package dev.cairn.runtime.compile;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.analysis.GraphPlanner;
import dev.cairn.runtime.memory.analysis.NnvmGraphPlanner;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import dev.cairn.runtime.memory.planner.improve.BestFitThenImprove;
import dev.cairn.runtime.memory.planner.improve.ImprovingPlanner;
import dev.cairn.runtime.memory.planner.inductor.AllocationTreePlanner;
import dev.cairn.runtime.memory.planner.inductor.PoolMode;
import dev.cairn.runtime.memory.planner.inductor.ReusePlanner;
import dev.cairn.runtime.memory.planner.nnvm.NnvmOptions;
import dev.cairn.runtime.memory.planner.nnvm.NnvmPlanner;
import dev.cairn.runtime.memory.planner.search.SearchPlanner;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The memory planners, by their command-line names. Most planners solve any memory problem; those of {@link #ofGraphs}
 * plan a whole graph for one stream.
 */
public enum PlannerChoice {
  /**
   * Offsets in one arena: best fit by size, the best of several orders. Where these take over 1 % more than the lower
   * bound, {@link #IMPROVE} follows.
   */
  BEST_FIT,
  /**
   * Greedy passes, then a local search that moves the few buffers at the top of the arena. Suits problems of any size.
   */
  IMPROVE,
  /**
   * Like {@link #IMPROVE}, then an exact search within the time budget. Finds the smallest plan for most problems of a
   * few hundred buffers.
   */
  SEARCH,
  /** Inductor's memory_plan_reuse: a freed buffer serves the next buffer of equal size and type. */
  REUSE,
  /** Like {@link #REUSE} with Inductor's newer peak test: no reuse whose idle bytes would raise the peak. */
  REUSE_PEAK_TEST,
  /** Inductor's memory_plan: pools divided alternately in time and space; outputs have their own pools. */
  ALLOCATION_TREE,
  /** Like {@link #ALLOCATION_TREE} with pools that never grow: a buffer that fits no pool gets a new one. */
  ALLOCATION_TREE_NONE,
  /** Like {@link #ALLOCATION_TREE} with one pool for all outputs. */
  ALLOCATION_TREE_OUTPUTS,
  /** Like {@link #ALLOCATION_TREE} with one pool for all buffers. */
  ALLOCATION_TREE_COMBINED,
  /** NNVM's allocator: a buffer takes over a whole freed storage of between 1/16 and 16 times its size. */
  NNVM,
  /** Like {@link #NNVM} with a search for the best match range. */
  NNVM_AUTO,
  /** NNVM's PlanMemory pass, reproduced exactly, on a whole graph; it also decides which steps run in place. */
  NNVM_GRAPH,
  /** Like {@link #NNVM_GRAPH} with a search for the best match range. */
  NNVM_GRAPH_AUTO,
  /**
   * Like {@link #NNVM_GRAPH} with two colours: a storage stays within one colour, so that branches could run in
   * parallel.
   */
  NNVM_GRAPH_COLOURS,
  /**
   * Like {@link #NNVM_GRAPH} in MXNet 1.9.1's version: it counts 4 bytes an element when it chooses storages, and
   * allows more type changes in place.
   */
  MXNET_GRAPH,
  /** No sharing at all: the baseline for other plans. */
  NAIVE;

  /** The planners that solve any memory problem. */
  public static List<PlannerChoice> ofProblems() {
    return Arrays.stream(values()).filter(it -> it.ofGraphs().isEmpty()).toList();
  }

  /** The planner of whole graphs; empty for planners of memory problems. */
  public Optional<GraphPlanner> ofGraphs() {
    return switch (this) {
      case NNVM_GRAPH -> Optional.of(new NnvmGraphPlanner(NnvmOptions.DEFAULT));
      case NNVM_GRAPH_AUTO -> Optional.of(new NnvmGraphPlanner(NnvmOptions.DEFAULT.withAutoSearch()));
      case NNVM_GRAPH_COLOURS -> Optional.of(new NnvmGraphPlanner(NnvmOptions.DEFAULT.withColours(2)));
      case MXNET_GRAPH -> Optional.of(new NnvmGraphPlanner(NnvmOptions.MXNET));
      default -> Optional.empty();
    };
  }

  /** @throws IllegalArgumentException when this planner plans whole graphs */
  public MemoryPlanner planner() {
    return switch (this) {
      case BEST_FIT -> BestFitThenImprove.DEFAULT;
      case IMPROVE -> ImprovingPlanner.DEFAULT;
      case SEARCH -> SearchPlanner.DEFAULT;
      case REUSE -> ReusePlanner.PLAIN;
      case REUSE_PEAK_TEST -> ReusePlanner.PEAK_TESTED;
      case ALLOCATION_TREE -> AllocationTreePlanner.INTERMEDIATES;
      case ALLOCATION_TREE_NONE -> AllocationTreePlanner.of(PoolMode.NONE);
      case ALLOCATION_TREE_OUTPUTS -> AllocationTreePlanner.of(PoolMode.OUTPUTS);
      case ALLOCATION_TREE_COMBINED -> AllocationTreePlanner.of(PoolMode.COMBINED);
      case NNVM -> NnvmPlanner.DEFAULT;
      case NNVM_AUTO -> NnvmPlanner.AUTO_SEARCH;
      case NNVM_GRAPH, NNVM_GRAPH_AUTO, NNVM_GRAPH_COLOURS, MXNET_GRAPH -> throw new IllegalArgumentException(
        "planner supports whole models only: planner=" + this);
      case NAIVE -> NaivePlanner.ARENA;
    };
  }

  /**
   * This planner with a search time budget. Only search planners use it; all others give the same plan with any budget.
   */
  public MemoryPlanner planner(Duration budget) {
    return switch (this) {
      case IMPROVE -> ImprovingPlanner.within(budget);
      case SEARCH -> SearchPlanner.within(budget);
      default -> planner();
    };
  }

  /** Whether this planner searches; then its plan may depend on its time budget. */
  public boolean searches() {
    return this == IMPROVE || this == SEARCH;
  }

  /** @throws IllegalArgumentException listing all names, when no planner has this name */
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
