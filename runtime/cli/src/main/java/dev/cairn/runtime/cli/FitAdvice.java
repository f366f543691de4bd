package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Graph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether a model fits a limit and, if not, what would make it fit: tried out, not guessed. */
final class FitAdvice {
  private final Graph graph;
  private final Map<String, Shape> shapes;
  private final PlanComparison plans;
  private final long limitBytes;

  private FitAdvice(Graph graph, Map<String, Shape> shapes, PlanComparison plans, long limitBytes) {
    this.graph = graph;
    this.shapes = shapes;
    this.plans = plans;
    this.limitBytes = limitBytes;
  }

  /**
   * @param shapes that were given for open inputs
   * @param plans whose graph has the chosen plan
   */
  static FitVerdict verdict(Graph graph, Map<String, Shape> shapes, PlanComparison plans, long limitBytes) {
    MemoryNeed need = MemoryNeed.of(plans.graph());
    if (need.totalBytes() <= limitBytes) {
      return FitVerdict.of(need.totalBytes(), limitBytes);
    }
    var advice = new FitAdvice(graph, shapes, plans, limitBytes);
    return new FitVerdict(need.totalBytes(), limitBytes, advice.remedies(need));
  }

  private List<String> remedies(MemoryNeed need) {
    List<String> remedies = new ArrayList<>();
    long leastBytes = need.leastBytes(plans.graph().score().boundBytes());
    otherPlanner().ifPresent(remedies::add);
    if (leastBytes <= limitBytes && remedies.isEmpty()) {
      remedies.add("a better plan: by the lower bound %s could do, so try a longer --budget".formatted(StatsText.bytes(
        leastBytes)));
    }
    smallerBatch().ifPresent(remedies::add);
    String floor = leastBytes > limitBytes
      ? " (no planner can do with less than %d)".formatted(leastBytes)
      : "";
    remedies.add("raise --memory-limit to %d%s".formatted(need.totalBytes(), floor));
    return remedies;
  }

  private Optional<String> otherPlanner() {
    return plans.answers().stream().filter(it -> it.plan().isPresent())
      .filter(it -> MemoryNeed.of(plans.graph(), it.plan().get()).totalBytes() <= limitBytes)
      .min((a, b) -> Long.compare(a.plan().orElseThrow().peakBytes(), b.plan().orElseThrow().peakBytes()))
      .map(it -> "--planner %s, which needs %s".formatted(it.planner(), StatsText.bytes(MemoryNeed.of(plans.graph(), it
        .plan().orElseThrow()).totalBytes())));
  }

  /** The largest leading extent that fits, where all given shapes begin with the same one. */
  private Optional<String> smallerBatch() {
    List<Long> leading = shapes.values().stream().filter(it -> it.rank() > 0).map(it -> it.extent(0)).distinct()
      .toList();
    if (leading.size() != 1 || shapes.values().stream().anyMatch(it -> it.rank() == 0)) {
      return Optional.empty();
    }
    long fitting = 0;
    long failing = leading.getFirst();
    while (failing - fitting > 1) {
      long middle = (fitting + failing) >>> 1;
      if (neededBytes(middle) <= limitBytes) {
        fitting = middle;
      } else {
        failing = middle;
      }
    }
    return fitting == 0
      ? Optional.empty()
      : Optional.of("a batch of %d, the largest that fits, instead of %d: %s needs %s".formatted(fitting, leading
        .getFirst(), shapesText(fitting), StatsText.bytes(neededBytes(fitting))));
  }

  /** The largest number where the model can't be compiled with this batch. */
  private long neededBytes(long batch) {
    try {
      CompiledGraph compiled = ModelCompiler.compile(graph, InputTypes.of(graph, withBatch(batch)),
        CompileOptions.DEFAULT);
      return MemoryNeed.of(compiled).totalBytes();
    } catch (RuntimeException e) {
      return Long.MAX_VALUE;
    }
  }

  private Map<String, Shape> withBatch(long batch) {
    Map<String, Shape> smaller = new HashMap<>();
    shapes.forEach((name, shape) -> {
      long[] extents = shape.extents();
      extents[0] = batch;
      smaller.put(name, Shape.of(extents));
    });
    return smaller;
  }

  private String shapesText(long batch) {
    List<String> words = new ArrayList<>();
    withBatch(batch).entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(it -> words.add(it.getKey() + ":"
      + String.join("x", Arrays.stream(it.getValue().extents()).mapToObj(Long::toString).toList())));
    return "--shapes " + String.join(",", words);
  }
}
