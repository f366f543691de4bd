package dev.cairn.runtime.compile;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.memory.analysis.StepOrder;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.memory.order.LazyOrder;
import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RematAnalysis;
import dev.cairn.runtime.memory.recompute.RematRewrite;
import dev.cairn.runtime.memory.recompute.StepCosts;
import dev.cairn.runtime.memory.recompute.StepWork;
import dev.cairn.runtime.memory.recompute.UpstreamWords;
import dev.cairn.runtime.memory.recompute.ValueNumbers;
import dev.cairn.runtime.memory.remat.RematAnswer;
import dev.cairn.runtime.memory.remat.RematProblem;
import dev.cairn.runtime.memory.remat.Word;
import dev.cairn.runtime.memory.remat.WordJudge;
import dev.cairn.runtime.memory.remat.search.RematPlanner;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Makes a compiled graph fit a limit: chooses steps to run again, puts them into the graph, plans it and has the result
 * judged. The reruns have the kernels of the steps that they repeat, so results are equal to the bit.
 *
 * @param once the graph as compiled without a limit
 * @param kernels of its steps
 * @param isHost whether kernels read and write host memory
 * @param sums how many sums add up one addend at a time, and how to compile the graph so
 * @param hinted what hints had run again in that graph
 */
record Recomputation(CompiledGraph once, Map<Node, KernelRow> kernels, OperatorTable operators, CompileOptions options,
  boolean isHost, Sums sums, Optional<Recomputed> hinted) {
  /**
   * Types whose sums have the same bits when they add up one addend at a time. The processor's kernels add up narrower
   * floats in {@code double}, and round once.
   */
  private static final Set<DType> ACCUMULATED_ON_HOST = EnumSet.of(DType.FLOAT64, DType.INT64);
  private static final Set<DType> ACCUMULATED_ON_GPU = EnumSet.of(DType.FLOAT16, DType.FLOAT32, DType.FLOAT64,
    DType.INT64);

  /**
   * Sums that add up one addend at a time.
   *
   * @param split how many do
   * @param compiler compiles the graph so that those of these names do
   */
  record Sums(int split, Function<Set<String>, Recomputation> compiler) {}

  /** How often the planner is asked again, for less, when offsets take more than the bytes live at once. */
  private static final int ATTEMPTS = 4;

  /** The graph itself when it fits the limit of the options; else one with reruns if there is one that fits. */
  CompiledGraph applied() {
    MemoryNeed need = MemoryNeed.of(once, isHost);
    RematOptions remat = options.remat();
    Optional<CompiledGraph> copied = HintedSteps.copied(this, need);
    if (copied.isPresent()) {
      return copied.get();
    }
    if (remat.mode() == RematMode.OFF || remat.limitBytes().isEmpty()
      || need.totalBytes() <= remat.limitBytes().getAsLong()) {
      return once;
    }
    long budget = planBudget(need, remat.limitBytes().getAsLong());
    if (remat.mode() == RematMode.TF) {
      return asTensorFlow(budget);
    }
    boolean isOwnMode = isOwnMode();
    boolean copies = !isHost && isOwnMode;
    if (remat.offload() == OffloadChoice.ONLY) {
      return copies ? offloaded(budget, Double.MAX_VALUE).orElse(once) : once;
    }
    CompiledGraph answer = within(budget);
    Recomputed facts = answer.recomputed().orElseThrow();
    if (copies && remat.offload() == OffloadChoice.AUTO) {
      Optional<CompiledGraph> offloaded = offloaded(budget, facts.fits() ? facts.cost() : Double.MAX_VALUE);
      if (offloaded.isPresent()) {
        return offloaded.get();
      }
    }
    return !isOwnMode || facts.fits()
      ? answer
      : new WeightStreaming(this).applied(answer, remat.limitBytes().getAsLong());
  }

  /** What is left for the plan. */
  static long planBudget(MemoryNeed need, long limitBytes) {
    long beside = limitBytes - need.besidePlanBytes();
    return Math.max(0, beside / Alignment.CHUNK_BYTES * Alignment.CHUNK_BYTES);
  }

  boolean isOwnMode() {
    return options.remat().mode() == RematMode.AUTO || options.remat().mode() == RematMode.SEARCH;
  }

  /** As TensorFlow's memory optimizer: it recomputes, splits sums, and on a GPU swaps. */
  private CompiledGraph asTensorFlow(long budget) {
    Start start = given();
    var upstream = new UpstreamWords(start.problem, start.storage.steps(), operators);
    OffloadChoice offload = options.remat().offload();
    if (sums.split == 0 && offload != OffloadChoice.ONLY) {
      Set<DType> accumulated = isHost ? ACCUMULATED_ON_HOST : ACCUMULATED_ON_GPU;
      List<Node> found = upstream.tensorflowSums(budget, it -> accumulated.contains(once.types().type(it.entry())
        .dtype()));
      if (!found.isEmpty()) {
        Recomputation split = sums.compiler.apply(found.stream().map(Node::name).collect(Collectors.toSet()));
        MemoryNeed need = MemoryNeed.of(split.once, isHost);
        return need.planBytes() <= budget ? split.fitting(budget) : split.asTensorFlow(budget);
      }
    }
    CompiledGraph answer = offload == OffloadChoice.ONLY ? once : within(budget);
    return isHost || offload == OffloadChoice.OFF || answer.recomputed().filter(Recomputed::fits).isPresent()
      ? answer
      : new Offloading(this, start).asTensorFlow(upstream, budget).orElse(answer);
  }

  /** The graph as it is, which keeps to the budget. */
  private CompiledGraph fitting(long budgetBytes) {
    Start start = given();
    RematProblem problem = start.problem;
    Word given = problem.givenOrder();
    RematAnswer answer = new RematAnswer(given, problem.costOnce(), problem.costOnce(), problem.costOnce(), WordJudge
      .peak(problem, given), budgetBytes, problem.floor());
    return once.with(Optional.of(facts(start, answer, true, budgetBytes, MemoryNeed.inChunks(once.plan()).peakBytes(),
      List.of())), Optional.empty());
  }

  private Optional<CompiledGraph> offloaded(long budgetBytes, double mostWork) {
    return new Offloading(this, given()).within(budgetBytes, mostWork);
  }

  /** Copies are packed tightly: the usual planner is replaced by one that moves what sticks out. */
  CompileOptions tight() {
    return options.planner() == PlannerChoice.BEST_FIT ? options.withPlanner(PlannerChoice.IMPROVE) : options;
  }

  /** What there is to choose from, in the graph's order. */
  RerunChoices choices() {
    Start start = given();
    return new RerunChoices(start.problem, start.storage.steps(), operators);
  }

  /** A graph in an order to begin with, and its problem. */
  record Start(IndexedGraph graph, Storage storage, RematProblem problem) {}

  private CompiledGraph within(long budgetBytes) {
    GraphPlanning planning = planning(Carried.of(once, kernels));
    Start given = start(planning, once.graph());
    Tried first = tried(given, budgetBytes);
    if (first.compiled.isPresent()) {
      return first.compiled.get();
    }
    var steps = new StepOrder(given.graph, given.storage);
    Graph lazy = steps.reordered(LazyOrder.of(given.problem.order()));
    Tried second = tried(start(planning, new IndexedGraph(lazy)), budgetBytes);
    Tried better = second.leastBytes < first.leastBytes ? second : first;
    return second.compiled.orElseGet(() -> once.with(Optional.of(facts(given, better.answer, false,
      budgetBytes, better.leastBytes, List.of())), Optional.empty()));
  }

  /** The graph in its own order. */
  Start given() {
    return start(planning(Carried.of(once, kernels)), once.graph());
  }

  private Start start(GraphPlanning planning, IndexedGraph graph) {
    Storage storage = planning.separate(graph);
    return new Start(graph, storage, RematAnalysis.of(graph, storage, planning.wantedOperators(), costs()));
  }

  /** What steps cost. */
  StepCosts costs() {
    return new StepCosts(new StepWork(once.types(), operators, isHost ? StepWork.OF_PROCESSOR : StepWork.OF_GPU),
      options.remat()
        .measuredNanos(),
      once.storage().steps());
  }

  /** What came of one start: a graph that fits, if there is one, and the least bytes that were reached. */
  private record Tried(Optional<CompiledGraph> compiled, RematAnswer answer, long leastBytes) {}

  private Tried tried(Start start, long budgetBytes) {
    long least = once.plan().peakBytes();
    long target = budgetBytes;
    RematAnswer answer = answer(start, target);
    for (int attempt = 1; attempt < ATTEMPTS && answer.fits(); attempt++) {
      CompiledGraph again = rewritten(start, answer, budgetBytes);
      long bytes = MemoryNeed.inChunks(again.plan()).peakBytes();
      least = Math.min(least, bytes);
      if (bytes <= budgetBytes) {
        return new Tried(Optional.of(again), answer, least);
      }
      target = Math.max(0, target - (bytes - budgetBytes));
      answer = answer(start, target);
    }
    return new Tried(Optional.empty(), answer, answer.fits() ? least : Math.min(least, answer.peakBytes()));
  }

  RematAnswer answer(Start start, long targetBytes) {
    RematMode mode = options.remat().mode();
    if (!RerunChoices.UPSTREAM.contains(mode)) {
      return RematPlanner.plan(start.problem, targetBytes, options.remat().searchWork());
    }
    var choices = new RerunChoices(start.problem, start.storage.steps(), operators);
    return choices.first(choices.words(mode), targetBytes);
  }

  private CompiledGraph rewritten(Start start, RematAnswer answer, long budgetBytes) {
    return made(start, answer, "recompute", budgetBytes).graph;
  }

  /** A graph with reruns, and the kernels of its nodes. */
  record Made(CompiledGraph graph, Map<Node, KernelRow> kernels) {}

  Made made(Start start, RematAnswer answer, String change, long budgetBytes) {
    RematRewrite.Rewritten rewritten = RematRewrite.applied(start.graph.graph(), start.storage.steps(), start.storage
      .variables().direct(), answer.word());
    Carried carried = Carried.of(once, kernels).to(rewritten.graph(), rewritten::original);
    judge(start.problem, answer, rewritten, carried);
    GraphPlanning.Laid laid = planning(carried).inOrder(rewritten.graph());
    List<String> reruns = laid.storage().steps().stream().filter(it -> !it.name().equals(rewritten.original(it).name()))
      .map(Node::name).toList();
    long peak = MemoryNeed.inChunks(laid.plan()).peakBytes();
    return new Made(carried.compiled(laid, change, Optional.of(facts(start, answer, true, budgetBytes,
      peak, reruns)), Optional.empty()), carried.kernels());
  }

  private void judge(RematProblem problem, RematAnswer answer, RematRewrite.Rewritten rewritten, Carried carried) {
    requireEqual(rewritten.graph(), carried, rewritten::original);
    if (WordJudge.cost(problem, answer.word()) != answer.cost() || WordJudge.peak(problem, answer.word()) != answer
      .peakBytes() || answer.bound() > answer.cost()) {
      throw new IllegalStateException("the planner of recomputation says other than its judge: graph=%s cost=%d peak=%d"
        .formatted(rewritten.graph().name(), answer.cost(), answer.peakBytes()));
    }
  }

  /** Has it judged that a graph computes what this one does. */
  void requireEqual(Graph graph, Carried carried, UnaryOperator<Node> original) {
    ValueNumbers.requireEqual(new ValueNumbers.Judged(once.graph().graph(), Carried.of(once, kernels)::kernel),
      new ValueNumbers.Judged(graph, carried::kernel), original, node -> node.kind() instanceof NodeKind.Control
        || (node.kind() instanceof NodeKind.Apply && !operators.isPure(node.operator())));
  }

  GraphPlanning planning(Carried carried) {
    return carried.planning(operators, options, isHost);
  }

  Recomputed facts(Start start, RematAnswer answer, boolean fits, long budgetBytes, long peakBytes,
    List<String> reruns) {
    RematProblem problem = start.problem;
    RematProblem.Floor floor = problem.floor();
    var facts = new Recomputed(fits, budgetBytes, peakBytes, MemoryNeed.inChunks(once.plan()).peakBytes(),
      fits ? answer.cost() : problem.costOnce(), problem.costOnce(), answer.bound(), problem.nodes() + reruns.size(),
      reruns, floor.bytes(), new WeightStreaming(this).leastBytes(floor.bytes()),
      problem.nodes() == 0 ? "no step" : problem.name(floor.node()), floorHolds(start),
      sums.split);
    return hinted.map(facts::after).orElse(facts);
  }

  /** What the step of the floor reads and makes. */
  private List<String> floorHolds(Start start) {
    if (start.problem.nodes() == 0) {
      return List.of();
    }
    int node = start.problem.floor().node();
    OrderProblem order = start.problem.order();
    List<NodeEntry> values = new StepOrder(start.graph, start.storage).values();
    return IntStream.concat(Arrays.stream(order.read(node)), Arrays.stream(order.made(node))).distinct().boxed().sorted(
      Comparator.comparingLong((Integer value) -> -order.bytes(value))).map(
        value -> "%s %s %s".formatted(values.get(
          value), once.types().type(values.get(value)), StatsText.bytes(order.bytes(value))))
      .toList();
  }
}
