package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FittingModes;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.memory.FitVerdict;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.PlanRemedy;
import dev.cairn.runtime.session.ModelCompiler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether a model fits a limit and, if not, what would make it fit: tried out, not guessed. */
final class ModelFit {
  private final Graph graph;
  private final Map<String, Shape> shapes;
  private final CompileOptions options;
  private final ModelCompiler compiler;

  /**
   * @param shapes that were given for open inputs
   * @param options with the planner that was chosen
   * @param compiler for the device
   */
  ModelFit(Graph graph, Map<String, Shape> shapes, CompileOptions options, ModelCompiler compiler) {
    this.graph = graph;
    this.shapes = shapes;
    this.options = options;
    this.compiler = compiler;
  }

  /** @param plans whose graph has the chosen plan */
  FitText text(PlanComparison plans, OptionalLong limitBytes) {
    FitVerdict verdict = verdict(plans, limitBytes);
    if (!verdict.fits()) {
      Optional<PlanRemedy.SmallerBatch> batch = smallerBatch(limitBytes.orElseThrow());
      verdict = batch.isPresent() ? verdict.with(batch.get()) : verdict;
      for (PlanRemedy remedy : new FittingModes(options, this::compiled, compiler.isHost()).remedies(plans.graph(),
        limitBytes.orElseThrow())) {
        verdict = verdict.with(remedy);
      }
    }
    return new RemedyWords("--memory-limit", "a longer --budget", this::batchWords, StatsText::bytes).text(verdict);
  }

  private CompiledGraph compiled(CompileOptions with) {
    return compiler.compile(graph, InputTypes.of(graph, shapes), with);
  }

  private FitVerdict verdict(PlanComparison plans, OptionalLong limitBytes) {
    CompiledGraph compiled = plans.graph();
    List<MemoryPlan> others = new ArrayList<>();
    plans.answers().forEach(answer -> answer.plan().map(MemoryNeed::inChunks)
      .map(plan -> new MemoryPlan(answer.planner().toString(), plan.pools(), plan.placements()))
      .ifPresent(others::add));
    return MemoryNeed.of(compiled, compiler.isHost()).verdict(compiled, limitBytes, others);
  }

  /** The largest leading extent that fits, where all given shapes begin with the same one. */
  private Optional<PlanRemedy.SmallerBatch> smallerBatch(long limitBytes) {
    OptionalLong batch = batch();
    if (batch.isEmpty()) {
      return Optional.empty();
    }
    var fitting = new PlanRemedy.SmallerBatch(0, 0);
    long failing = batch.getAsLong();
    while (failing - fitting.items() > 1) {
      long middle = (fitting.items() + failing) >>> 1;
      long neededBytes = neededBytes(middle);
      if (neededBytes <= limitBytes) {
        fitting = new PlanRemedy.SmallerBatch(middle, neededBytes);
      } else {
        failing = middle;
      }
    }
    return fitting.items() == 0 ? Optional.empty() : Optional.of(fitting);
  }

  private OptionalLong batch() {
    if (shapes.values().stream().anyMatch(it -> it.rank() == 0)) {
      return OptionalLong.empty();
    }
    long[] leading = shapes.values().stream().mapToLong(it -> it.extent(0)).distinct().toArray();
    return leading.length == 1 ? OptionalLong.of(leading[0]) : OptionalLong.empty();
  }

  /** The largest number where the model can't be compiled with this batch. */
  private long neededBytes(long batch) {
    try {
      CompiledGraph compiled = compiler.compile(graph, InputTypes.of(graph, withBatch(batch)), options);
      return MemoryNeed.of(compiled, compiler.isHost()).totalBytes();
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

  private String batchWords(PlanRemedy.SmallerBatch smaller) {
    List<String> words = new ArrayList<>();
    withBatch(smaller.items()).entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(it -> words.add(it
      .getKey() + ":" + String.join("x", Arrays.stream(it.getValue().extents()).mapToObj(Long::toString).toList())));
    return "a batch of %d, the largest that fits, instead of %d: --shapes %s needs %s".formatted(smaller.items(),
      batch().orElseThrow(), String.join(",", words), StatsText.bytes(smaller.neededBytes()));
  }
}
