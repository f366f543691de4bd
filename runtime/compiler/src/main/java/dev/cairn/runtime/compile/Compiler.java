package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.RefusedHint;
import dev.cairn.runtime.infer.KnownPart;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.invoke.DispatchTable;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.analysis.HostCopies;
import dev.cairn.runtime.memory.analysis.KeptValues;
import dev.cairn.runtime.memory.analysis.recompute.RecomputeHints;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassOrder;
import dev.cairn.runtime.pass.PassReport;
import dev.cairn.runtime.pass.PassResult;
import dev.cairn.runtime.pass.PlacedPass;
import dev.cairn.runtime.pass.control.DissolvedSequences;
import dev.cairn.runtime.pass.fusion.FusedOperator;
import dev.cairn.runtime.pass.fusion.FusedProductOperator;
import dev.cairn.runtime.pass.fusion.PointwiseFusionPass;
import dev.cairn.runtime.pass.fusion.ProductFusionPass;
import dev.cairn.runtime.pass.gradient.GradientOperator;
import dev.cairn.runtime.pass.layout.ChannelsLastOperators;
import dev.cairn.runtime.pass.layout.ChannelsLastPass;
import dev.cairn.runtime.pass.quantize.QLinearOperators;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compiles graphs for one device: simplifies, infers, chooses kernels, finds lifetimes, plans, and has the plan judged.
 * Thread-safe as far as the stream is.
 */
public final class Compiler {
  /** Every buffer starts at a multiple of this: a cache line, and the widest vector. */
  public static final long BUFFER_ALIGNMENT = GraphPlanning.BUFFER_ALIGNMENT;

  private final OperatorTable operators;
  private final KernelChoice kernels;
  private final ValueEvaluator evaluator;
  private final KernelCatalog catalog;
  private final Stream stream;
  private final boolean boundResults;
  private final BodyCompiler bodies;

  /** @param stream of a device whose memory the host can read, on which constants are computed */
  public Compiler(OperatorTable operators, KernelCatalog catalog, Stream stream) {
    this(operators, catalog, catalog, stream);
  }

  /**
   * For a device whose memory the host cannot read.
   *
   * @param hostCatalog kernels of the host's memory, by which constants are computed
   * @param hostStream on which that is done
   */
  public Compiler(OperatorTable operators, KernelCatalog catalog, KernelCatalog hostCatalog, Stream hostStream) {
    OperatorTable onImages = ChannelsLastOperators.in(QLinearOperators.in(operators));
    this.operators = onImages.with(FusedOperator.ROW).with(FusedProductOperator.row(onImages))
      .with(GradientOperator.ROW).with(HostCopies.LOAD_ROW).with(HostCopies.OUT_ROW).with(HostCopies.IN_ROW);
    this.catalog = catalog;
    this.kernels = new KernelChoice(catalog);
    this.evaluator = new KernelEvaluator(this.operators, new DispatchTable(this.operators, hostCatalog, 1),
      hostStream);
    this.stream = hostStream;
    this.boundResults = false;
    this.bodies = BodyCompiler.ALONE;
  }

  private Compiler(Compiler other, KernelCatalog catalog, boolean boundResults, BodyCompiler bodies) {
    this.operators = other.operators;
    this.catalog = catalog;
    this.kernels = new KernelChoice(catalog);
    this.evaluator = other.evaluator;
    this.stream = other.stream;
    this.boundResults = boundResults;
    this.bodies = bodies;
  }

  /**
   * A compiler for kernels that write outputs into memory that the caller gives to each run. Its plans have no bytes
   * for outputs.
   */
  public Compiler withBoundResults(boolean wanted) {
    return new Compiler(this, catalog, wanted, bodies);
  }

  /** A compiler with only the kernels whose scratch memory of smaller calls is known. */
  private Compiler forSmallerShapes(BodyCompiler compiling) {
    return new Compiler(this, catalog.where(row -> row.kernel().servesSmallerCalls()), boundResults, compiling);
  }

  /**
   * @param inputs the type of each of the graph's inputs, by name
   * @throws dev.cairn.runtime.graph.InvalidGraph when the graph breaks a rule for these shapes
   * @throws UnsupportedOperators when no kernel serves a node's types: all such nodes at once
   */
  public CompiledGraph compile(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    return recomputation(graph, inputs, options, Set.of()).applied();
  }

  /** The problem that recomputation solves for a graph: the steps without a limit, their values and costs. */
  public RecomputeChoices choices(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    return recomputation(graph, inputs, options, Set.of()).choices();
  }

  private Recomputation recomputation(Graph graph, Map<String, TensorType> inputs, CompileOptions options,
    Set<String> splitSums) {
    Map<String, Node> hinted = RecomputeHints.checked(graph);
    Typed typed = typed(graph, inputs, SplitSumsPass.in(options, splitSums), fusion());
    RefusedHint.requireLeft(hinted.values(), typed.graph);
    var planning = new GraphPlanning(operators, typed.types, typed::workspaceBytes, options, boundResults);
    CompiledGraph once = typed.compiled(planning.of(typed.graph));
    return HintedSteps.recompute(new Recomputation(once, typed.kernels, operators, options, boundResults,
      new Recomputation.Sums(splitSums.size(), names -> recomputation(graph, inputs, options, names)), Optional
        .empty()));
  }

  /** Like {@link #compile}; but if a shape depends on a value, so that there can be no plan, it returns the node. */
  public Compilation plan(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    try {
      return new Compilation.Planned(recomputation(graph, inputs, options, Set.of()).applied());
    } catch (ValueDependentShape e) {
      return Compilation.NotPlannable.of(graph, e);
    }
  }

  /** Like {@link #plan}, but compiles by {@link #compileLargest}. */
  public Compilation planLargest(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    try {
      return new Compilation.Planned(compileLargest(graph, inputs, options));
    } catch (ValueDependentShape e) {
      return Compilation.NotPlannable.of(graph, e);
    }
  }

  /**
   * Cuts a graph that has no plan where its types need values.
   *
   * @param inputs the types of the inputs that are tensors of numbers, by name
   * @throws dev.cairn.runtime.graph.InvalidGraph when the graph breaks a rule for these shapes
   */
  public GraphCut cut(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    RecomputeHints.refuseAlways(graph, "the model has no plan, as data decide shapes");
    return GraphCut.of(graph, KnownPart.of(graph, inputs, inference(options), OutsidePlans::hasOutside));
  }

  /** The type inference of this compiler, which also computes small values that shapes may depend on. */
  public TypeInference inference(CompileOptions options) {
    return new TypeInference(operators, evaluator, options.unrolling());
  }

  /**
   * Checks that kernels serve every node for these types, without planning. Returns the node that prevents a plan.
   *
   * @throws dev.cairn.runtime.graph.InvalidGraph when the graph breaks a rule for these shapes
   * @throws UnsupportedOperators as {@link #compile}
   */
  public Optional<Compilation.NotPlannable> requireKernels(Graph graph, Map<String, TensorType> inputs,
    CompileOptions options) {
    try {
      typed(graph, inputs, options, fusion());
      return Optional.empty();
    } catch (ValueDependentShape e) {
      return Optional.of(Compilation.NotPlannable.of(graph, e));
    }
  }

  /**
   * Like {@link #compile}, with scratch memory that is enough also for graphs that are compiled {@link #compileWithin
   * within}.
   */
  public CompiledGraph compileLargest(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    RecomputeHints.refuseAlways(graph, "a plan for the largest shapes runs nothing again, and copies nothing");
    Compiler compiler = forSmallerShapes(BodyCompiler.LARGEST);
    Typed typed = compiler.typed(graph, inputs, options, compiler.fusion());
    var planning = new GraphPlanning(operators, typed.types, typed::workspaceBytesUpTo, options, boundResults);
    return typed.compiled(planning.of(typed.graph));
  }

  private List<Pass> fusion() {
    return List.of(new PointwiseFusionPass(operators, (node, types) -> kernels.choose(node, types).isPresent()),
      new ProductFusionPass(operators, kernels::takesEpilogue));
  }

  /**
   * Compiles a graph for smaller shapes than it was compiled for already, so that it runs in the memory of the larger
   * ones: same steps in the same order, every buffer where the larger one lies, pools of the same bytes.
   *
   * @param largest compiled from the same graph with the same options, by {@link #compileLargest}
   * @throws IllegalArgumentException when that plan does not serve these shapes: a buffer is larger, or the shapes make
   *   another graph
   */
  public CompiledGraph compileWithin(CompiledGraph largest, Graph graph, Map<String, TensorType> inputs,
    CompileOptions options) {
    Graph fused = largest.graph().graph();
    Typed typed = forSmallerShapes(BodyCompiler.within(largest)).typed(graph, inputs, options,
      List.of(PointwiseFusionPass.like(fused), ProductFusionPass.like(
        fused, operators)));
    return typed.compiled(GraphPlanning.within(largest, typed.graph, typed.types, typed::workspaceBytes));
  }

  private Typed typed(Graph given, Map<String, TensorType> inputs, CompileOptions options, List<Pass> fusion) {
    Graph graph = DissolvedSequences.of(given, inputs);
    OutsidePlans.refuse(graph, inputs);
    SpoiltWeights.refuse(graph);
    TypeInference inference = inference(options);
    // Layout and fusion come last, since other passes know single operators on plain images only.
    var passes = new PassManager(it -> inference.infer(it, inputs));
    var simplification = new Simplification(options, operators, evaluator, kernels, inference);
    var layout = new ChannelsLastPass(operators, kernels::serves);
    List<Pass> own = new ArrayList<>(fusion);
    own.add(layout);
    own.addAll(simplification.own());
    PassOrder.requireFree(own, options.passes());
    PassResult simplified = simplification.of(graph, inputs);
    if (options.simplify() && options.channelsLast()) {
      simplified = passes.run(simplified, List.of(layout));
    }
    if (options.simplify() && options.fusion().holdsFor(catalog)) {
      simplified = passes.run(simplified, fusion);
    }
    simplified = passes.run(simplified, PassOrder.of(List.of(), options.passes(), PlacedPass.Stage.LAST));
    return typed(simplified, it -> inference.infer(it, inputs), options);
  }

  private Typed typed(PassResult simplified, PassManager.TypeSource source, CompileOptions options) {
    Graph kept = KeptValues.applied(simplified.graph());
    GraphTypes types = simplified.types().filter(known -> kept == simplified.graph()).orElseGet(() -> source.infer(
      kept));
    CompileOptions ofBodies = options.withStreams(1).withRecompute(RecomputeOptions.DEFAULT);
    CompiledBodies.Result compiled = CompiledBodies.of(kept, types, withBoundResults(true), bodies, ofBodies);
    Graph runnable = compiled.graph();
    GraphTypes known = runnable == kept ? types : source.infer(runnable);
    PackedConstants.Result packed = PackedConstants.applied(runnable, known, chooseKernels(runnable, known, compiled
      .kernels()), stream);
    return new Typed(packed.graph(), packed.types(), packed.kernels(), simplified.report());
  }

  /** A graph after all passes but that of order, with its facts. */
  private record Typed(Graph graph, GraphTypes types, Map<Node, KernelRow> kernels, PassReport report) {
    long workspaceBytes(Node node) {
      return KernelChoice.workspaceBytes(node, types, kernel(node).kernel()::workspaceBytes);
    }

    long workspaceBytesUpTo(Node node) {
      return KernelChoice.workspaceBytes(node, types, kernel(node).kernel()::workspaceBytesUpTo);
    }

    KernelRow kernel(Node node) {
      KernelRow row = kernels.get(node);
      if (row == null) {
        throw new AssertionError("every step has a kernel: node=" + node.name());
      }
      return row;
    }

    CompiledGraph compiled(GraphPlanning.Laid laid) {
      List<KernelRow> rows = laid.storage().steps().stream().map(this::kernel).toList();
      PlanScore score = PlanScore.of(laid.storage().problem(), laid.plan());
      return new CompiledGraph(laid.graph(), types, rows, laid.storage(), laid.schedule(), laid.plan(), score,
        laid.reported(report), laid.planNanos(), Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  private Map<Node, KernelRow> chooseKernels(Graph graph, GraphTypes types, Map<Node, KernelRow> ofBodies) {
    Map<Node, KernelRow> chosen = new HashMap<>(ofBodies);
    List<UnsupportedOperators.Gap> gaps = new ArrayList<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Apply || node.kind() instanceof NodeKind.Assign) {
        kernels.choose(node, types).ifPresentOrElse(row -> chosen.put(node, row), () -> gaps.add(
          new UnsupportedOperators.Gap(node.name(), node.operator(), kernels.lackFor(node, types))));
      }
    }
    if (!gaps.isEmpty()) {
      throw new UnsupportedOperators(gaps);
    }
    return chosen;
  }
}
