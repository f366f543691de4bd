package dev.cairn.runtime.session;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FittingModes;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.PlanPeak;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The report of a refusal of a graph's memory: the tensors that did not fit, the least limit that a run needs rather
 * than what the one request lacks, and what else would fit. Thread-safe.
 */
final class RefusalReport {
  private final CompiledGraph graph;
  private final GraphPlacer placer;
  private final Optional<FittingModes> others;
  private volatile @Nullable List<OutOfMemory.Way> ways;

  /** @param others what else would fit; empty where the graph is not compiled by itself */
  RefusalReport(CompiledGraph graph, GraphPlacer placer, Optional<FittingModes> others) {
    this.graph = graph;
    this.placer = placer;
    this.others = others;
  }

  OutOfMemory explained(OutOfMemory refusal) {
    SessionMemory memory = placer.memory();
    long needed = MemoryNeed.of(graph, placer.isHost()).totalBytes();
    long least = graph.streamed().map(it -> Math.min(needed, it.neededBytes())).orElse(needed);
    long held = memory.bytesBesidePlans();
    List<OutOfMemory.Way> tried = held == 0 && needed > placer.limitBytes() ? ways() : List.of();
    return memory.explained(withTensors(refusal), least + held).withWays(tried.stream().filter(it -> it
      .limitBytes() < least).toList());
  }

  /** Other settings that would fit; tried once, at the first refusal. */
  private List<OutOfMemory.Way> ways() {
    List<OutOfMemory.Way> known = ways;
    if (known == null) {
      known = others.map(it -> it.ways(graph, placer.limitBytes())).orElse(List.of());
      ways = known;
    }
    return known;
  }

  /**
   * Adds the tensors that the weights or the plan consist of, where these are what did not fit; where the plan does but
   * a result does not, the floor of the plan.
   */
  private OutOfMemory withTensors(OutOfMemory refusal) {
    String owner = refusal.owner().operator();
    String streamed = graph.streamed().map(it -> "; " + it).orElse("");
    if (owner.startsWith("plan/")) {
      String recomputed = graph.recomputed().map(it -> "; " + it).orElse("");
      return refusal.with(PlanPeak.ofPlan(graph) + recomputed + streamed);
    }
    if (owner.startsWith("weights")) {
      return refusal.with(PlanPeak.ofWeights(graph) + streamed);
    }
    return graph.recomputed().filter(it -> !it.fits()).map(it -> refusal.with(it + streamed)).orElse(refusal);
  }
}
