package dev.cairn.runtime.compile;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.UnreadSlices;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassOrder;
import dev.cairn.runtime.pass.PassResult;
import dev.cairn.runtime.pass.PlacedPass.Stage;
import dev.cairn.runtime.pass.control.BodiesPass;
import dev.cairn.runtime.pass.control.ResolveControlPass;
import dev.cairn.runtime.pass.gradient.ExpandGradientPass;
import dev.cairn.runtime.pass.gradient.GradientOptions;
import dev.cairn.runtime.pass.precision.HalfPrecisionPass;
import dev.cairn.runtime.pass.precision.WideningPass;
import dev.cairn.runtime.pass.quantize.QuantizedPasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The passes that come first: control flow that is the same in every run is resolved, the graph is simplified, its
 * gradients are built, and it is lowered to 16 bits where that is wanted.
 */
record Simplification(CompileOptions options, OperatorTable operators, ValueEvaluator evaluator,
  KernelChoice kernels, TypeInference inference) {
  private static final Logger LOG = LoggerFactory.getLogger(Simplification.class);
  /** Types that were logged: once for the process. */
  private static final Set<DType> SLOW_TOLD = ConcurrentHashMap.newKeySet();
  private static final int MOST_ROUNDS = 8;
  /** Rounds in which control flow inside of control flow is resolved: each resolves one level. */
  private static final int MOST_NESTED = 64;

  /** All passes that may run here, whatever the options say. */
  List<Pass> own() {
    List<Pass> own = new ArrayList<>(QuantizedPasses.ALL.passes(kernels::serves));
    own.addAll(StandardPipelines.simplify(evaluator, operators::isPure));
    own.addAll(StandardPipelines.attention());
    own.add(new ResolveControlPass());
    own.add(new BodiesPass(List.of(), inference::infer));
    own.add(expanding());
    own.add(new HalfPrecisionPass(DType.FLOAT16, operators, kernels::serves));
    own.add(widening());
    return own;
  }

  private ExpandGradientPass expanding() {
    return new ExpandGradientPass(operators, GradientOptions.DEFAULT, inference::infer);
  }

  private WideningPass widening() {
    return new WideningPass(operators, kernels::serves, kernels::servesByProvider);
  }

  PassResult of(Graph graph, Map<String, TensorType> inputs) {
    var passes = new PassManager(it -> inference.infer(it, inputs));
    boolean isPlain = graph.nodes().stream().noneMatch(node -> node.kind() instanceof NodeKind.Control);
    var resolving = new ResolveControlPass();
    PassResult resolved = passes.runUntilStable(UnreadSlices.dropped(graph), isPlain ? List.of() : List.of(resolving),
      MOST_NESTED);
    PassResult first = passes.run(resolved, placed(List.of(), Stage.FIRST));
    boolean attends = options.attention() && (!ExpandGradientPass.isNeeded(graph) || hasAttentionGradient());
    List<Pass> rounds = rounds(isPlain, resolving, attends);
    PassResult simplified = passes.runUntilStable(first, rounds, MOST_ROUNDS);
    PassResult lowered = options.simplify()
      ? options.precision().half().map(half -> inHalf(simplified, half, passes))
        .orElse(simplified)
      : simplified;
    return passes.run(withGradients(lowered, rounds, passes), placed(List.of(), Stage.LOWERED));
  }

  /**
   * Gradients come after simplification, when attention is one node already, and are simplified themselves. They also
   * come after precision: values that are computed in 16 bits have gradients of 16 bits, and an update has gradients of
   * its variable's own type.
   */
  private PassResult withGradients(PassResult lowered, List<Pass> rounds, PassManager passes) {
    if (!ExpandGradientPass.isNeeded(lowered.graph())) {
      return lowered;
    }
    PassResult result = lowered;
    while (ExpandGradientPass.isNeeded(result.graph())) {
      result = passes.runUntilStable(passes.run(result, List.of(expanding())), rounds, MOST_ROUNDS);
    }
    return options.simplify() && options.precision().half().isPresent()
      ? passes.runUntilStable(passes.run(result, List.of(widening())),
        StandardPipelines
          .simplify(evaluator, operators::isPure),
        MOST_ROUNDS)
      : result;
  }

  /** Whether the device computes the gradient of attention as one step. */
  private boolean hasAttentionGradient() {
    var type = TensorType.of(DType.FLOAT32, 1, 1, 1, 1);
    return kernels.serves(Operators.ATTENTION_GRADIENT,
      KernelSignature.of(List.of(type, type, type, type), List.of(type, type,
        type), Attributes.NONE));
  }

  private List<Pass> placed(List<Pass> own, Stage stage) {
    return PassOrder.of(own, options.passes(), stage);
  }

  /** The passes that run until nothing changes. Passes of users also run where Cairn's own do not. */
  private List<Pass> rounds(boolean isPlain, ResolveControlPass resolving, boolean attends) {
    List<Pass> own = new ArrayList<>(options.quantized().passes(kernels::serves));
    own.addAll(StandardPipelines.simplify(evaluator, operators::isPure));
    if (attends) {
      own.addAll(StandardPipelines.attention());
    }
    List<Pass> all = placed(own, Stage.SIMPLIFICATION);
    if (!options.simplify()) {
      all.removeAll(own);
      return all;
    }
    if (!isPlain) {
      // Facts other than types describe the whole graph.
      List<Pass> inside = all.stream().filter(pass -> pass.provides().isEmpty() && Set.of(Fact.TYPES).containsAll(pass
        .requires())).toList();
      all.add(resolving);
      all.add(new BodiesPass(inside, inference::infer));
    }
    return all;
  }

  /** Lowers the simplified graph, with constants folded in float32, and simplifies again, to fold casts of weights. */
  private PassResult inHalf(PassResult simplified, DType half, PassManager passes) {
    if (!kernels.multiplies(half) && SLOW_TOLD.add(half)) {
      LOG.warn("{} will take longer than float32: numbers of 16 bits are widened before they are multiplied. On "
        + "processors only bfloat16 is fast, with oneDNN and AVX512-BF16 or AMX", half);
    }
    var pass = new HalfPrecisionPass(half, operators, kernels::serves);
    return passes.runUntilStable(passes.run(simplified, List.of(pass)), StandardPipelines.simplify(evaluator,
      operators::isPure), MOST_ROUNDS);
  }
}
