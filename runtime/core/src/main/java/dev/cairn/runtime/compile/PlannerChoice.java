package dev.cairn.runtime.compile;

import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import dev.cairn.runtime.memory.planner.NaivePlanner;
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
 * The planners by the names that people type. Most plan any memory problem; those with {@link #nnvm} options plan whole
 * graphs, for one stream.
 */
public enum PlannerChoice {
  /** Offsets in one arena, best fit by size, the best of several orders. */
  BEST_FIT,
  /** Greedy passes, then a search that moves the few buffers that stick out: for problems of any size. */
  IMPROVE,
  /** That, then exact search as far as it goes: the smallest plan of most problems of some hundred buffers. */
  SEARCH,
  /** Inductor's memory_plan_reuse: a freed buffer serves the next one of equal size and type. */
  REUSE,
  /** The same with the newer peak test: no takeover whose idle bytes would raise the peak. */
  REUSE_PEAK_TEST,
  /** Inductor's memory_plan: pools cut in time and space by turns; outputs have pools of their own. */
  ALLOCATION_TREE,
  /** The same with pools that never grow: what fits into no pool gets one of its own. */
  ALLOCATION_TREE_NONE,
  /** The same with one pool for all outputs. */
  ALLOCATION_TREE_OUTPUTS,
  /** The same with one pool for everything. */
  ALLOCATION_TREE_COMBINED,
  /** NNVM's allocator: whole storages handed over, of up to 16 times the size or a 16th of it. */
  NNVM,
  /** NNVM's with the match range searched for. */
  NNVM_AUTO,
  /** NNVM's PlanMemory to the bit, over a graph: it also decides what runs in place. */
  NNVM_GRAPH,
  /** The same with the match range searched for. */
  NNVM_GRAPH_AUTO,
  /** The same with two colours: storages stay within a colour, so that branches could run side by side. */
  NNVM_GRAPH_COLOURS,
  /** The same as MXNet 1.9.1 has it: elements of 4 bytes when storages are chosen, a looser rule for types in place. */
  MXNET_GRAPH,
  /** No sharing at all: what the plans are measured against. */
  NAIVE;

  /** Those that plan any memory problem. */
  public static List<PlannerChoice> ofProblems() {
    return Arrays.stream(values()).filter(it -> it.nnvm().isEmpty()).toList();
  }

  /** With which options NNVM's pass plans the graph; empty for planners of problems. */
  public Optional<NnvmOptions> nnvm() {
    return switch (this) {
      case NNVM_GRAPH -> Optional.of(NnvmOptions.DEFAULT);
      case NNVM_GRAPH_AUTO -> Optional.of(NnvmOptions.DEFAULT.withAutoSearch());
      case NNVM_GRAPH_COLOURS -> Optional.of(NnvmOptions.DEFAULT.withColours(2));
      case MXNET_GRAPH -> Optional.of(NnvmOptions.MXNET);
      default -> Optional.empty();
    };
  }

  /** @throws IllegalArgumentException for one that plans graphs */
  public MemoryPlanner planner() {
    return switch (this) {
      case BEST_FIT -> BestFitPortfolio.ALL;
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
        "planner plans whole models, not problems by themselves: planner=" + this);
      case NAIVE -> NaivePlanner.ARENA;
    };
  }

  /**
   * The planner that may search for so long. Only planners that search look at the clock; the others take the time that
   * they take, and their plans are the same whatever the budget.
   */
  public MemoryPlanner planner(Duration budget) {
    return switch (this) {
      case IMPROVE -> ImprovingPlanner.within(budget);
      case SEARCH -> SearchPlanner.within(budget);
      default -> planner();
    };
  }

  /** Whether it searches, for as long as it may: then its plan may depend on its budget. */
  public boolean searches() {
    return this == IMPROVE || this == SEARCH;
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
