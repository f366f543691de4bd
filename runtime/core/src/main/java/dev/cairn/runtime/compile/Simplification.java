package dev.cairn.runtime.compile;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.UnreadSlices;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassResult;
import dev.cairn.runtime.pass.control.BodiesPass;
import dev.cairn.runtime.pass.control.ResolveControlPass;
import dev.cairn.runtime.pass.precision.HalfPrecisionPass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The passes that come first: control flow that is the same in every run is resolved, the graph is simplified, and
 * lowered to 16 bits where that is wanted.
 */
record Simplification(CompileOptions options, OperatorTable operators, ValueEvaluator evaluator, KernelChoice kernels,
  TypeInference inference) {
  private static final int MOST_ROUNDS = 8;
  /** Rounds in which control flow inside of control flow is resolved: each resolves one level. */
  private static final int MOST_NESTED = 64;

  PassResult of(Graph graph, Map<String, TensorType> inputs) {
    var passes = new PassManager(it -> inference.infer(it, inputs));
    boolean isPlain = graph.nodes().stream().noneMatch(node -> node.kind() instanceof NodeKind.Control);
    var resolving = new ResolveControlPass();
    PassResult resolved = passes.runUntilStable(UnreadSlices.dropped(graph), isPlain ? List.of() : List.of(resolving),
      MOST_NESTED);
    if (!options.simplify()) {
      return resolved;
    }
    List<Pass> standard = new ArrayList<>(options.quantised().passes());
    standard.addAll(StandardPipelines.simplify(evaluator, operators::isPure));
    if (options.attention()) {
      standard.addAll(StandardPipelines.attention());
    }
    if (!isPlain) {
      List<Pass> inside = List.copyOf(standard);
      standard.add(resolving);
      standard.add(new BodiesPass(inside, inference::infer));
    }
    PassResult simplified = passes.runUntilStable(resolved.graph(), standard, MOST_ROUNDS);
    PassResult whole = new PassResult(simplified.graph(), simplified.types(), resolved.report().with(simplified
      .report()));
    return options.precision().half().map(half -> inHalf(whole, half, passes)).orElse(whole);
  }

  /** After simplification, which folds by float32; and then once more, for the weights that are cast. */
  private PassResult inHalf(PassResult simplified, DType half, PassManager passes) {
    var pass = new HalfPrecisionPass(half, kernels::serves);
    PassResult lowered = passes.run(simplified.graph(), List.of(pass));
    PassResult folded = passes.runUntilStable(lowered.graph(), StandardPipelines.simplify(evaluator, operators::isPure),
      MOST_ROUNDS);
    return new PassResult(folded.graph(), folded.types(), simplified.report().with(lowered.report()).with(folded
      .report()));
  }
}
