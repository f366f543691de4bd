package dev.cairn.runtime.parts;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.Compilation;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.GraphCut;
import dev.cairn.runtime.executor.DynamicExecutor;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes what the parts of a graph run on.
 *
 * @param executors makes the parts' executors
 * @param isHost whether the processor runs the parts, too
 */
public record PartSource(Compiler compiler, CompileOptions options, PartExecutors executors, boolean isHost) {
  /** A plan for bounds may take this many times the memory of the plan for the types that came first. */
  private static final int MOST_TIMES = 4;
  private static final Logger LOG = LoggerFactory.getLogger(PartSource.class);

  GraphCut cut(Graph graph, Map<String, TensorType> types) {
    return compiler.cut(graph, types, options);
  }

  /**
   * Empty when something in the part prevents a plan that its types do not show, or a GPU lacks kernels for it.
   *
   * @throws UnsupportedOperators when the processor lacks kernels
   */
  Optional<CompiledGraph> compiled(Graph part, Map<String, TensorType> types) {
    try {
      return compiler.plan(part, types, options) instanceof Compilation.Planned(CompiledGraph compiled)
        ? Optional.of(compiled)
        : Optional.empty();
    } catch (UnsupportedOperators e) {
      if (isHost) {
        throw e;
      }
      LOG.info("a part runs on the processor, node by node: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * A part without a plan.
   *
   * @param places of the whole graph's steps
   */
  GraphPart unplanned(Graph part, StepPlaces places) {
    DynamicExecutor executor = executors.nodeByNode(part);
    return new GraphPart.Unplanned(part, executor, places.of(executor.steps()));
  }

  /** Like {@link #unplanned}, with a plan. */
  GraphPart planned(PlannedExecutor executor, StepPlaces places) {
    return new GraphPart.Planned(executor, places.of(executor.graph().storage().steps()));
  }

  /**
   * The part for the largest types that it can have. Empty where that would take too much memory or run on other
   * kernels, whose results might have other bits.
   *
   * @param first the part for the types that came first
   */
  Optional<PlannedExecutor> largest(Graph part, Map<String, TensorType> bounds, CompiledGraph first) {
    try {
      return compiler.planLargest(part, bounds, options) instanceof Compilation.Planned(CompiledGraph most)
        && most.score().peakBytes() <= MOST_TIMES * first.score().peakBytes() && haveSameKernels(most, first)
          ? Optional.of(executors.planned(most))
          : Optional.empty();
    } catch (InvalidGraph | UnsupportedOperators e) {
      return Optional.empty(); // the bounds of several operands may contradict each other
    }
  }

  /** Whether all nodes that are steps of both have the same kernels there. Fusing nodes does not change bits. */
  private static boolean haveSameKernels(CompiledGraph one, CompiledGraph other) {
    Map<String, KernelRow> rows = new HashMap<>();
    for (int step = 0; step < one.kernels().size(); step++) {
      rows.put(one.storage().steps().get(step).name(), one.kernels().get(step));
    }
    return IntStream.range(0, other.kernels().size()).allMatch(step -> {
      KernelRow row = rows.get(other.storage().steps().get(step).name());
      return row == null || row.equals(other.kernels().get(step)) || row.operator().equals(PointwiseProgram.OPERATOR)
        || other.kernels().get(step).operator().equals(PointwiseProgram.OPERATOR);
    });
  }

  /** The part in the memory of its largest types; empty where the memory does not serve these. */
  Optional<PlannedExecutor> within(PlannedExecutor largest, Graph part, Map<String, TensorType> types) {
    try {
      return Optional.of(largest.within(compiler.compileWithin(largest.graph(), part, types, options)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
