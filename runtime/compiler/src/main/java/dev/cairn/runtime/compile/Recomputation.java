package dev.cairn.runtime.compile;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.memory.analysis.StepOrder;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.memory.analysis.recompute.RecomputeAnalysis;
import dev.cairn.runtime.memory.analysis.recompute.RecomputeRewrite;
import dev.cairn.runtime.memory.analysis.recompute.StepCosts;
import dev.cairn.runtime.memory.analysis.recompute.StepWork;
import dev.cairn.runtime.memory.analysis.recompute.ValueNumbers;
import dev.cairn.runtime.memory.order.LazyOrder;
import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.exact.ResidentSetSearch;
import dev.cairn.runtime.memory.recompute.search.RecomputePlanner;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Makes a compiled graph fit a limit: chooses steps to run again, puts them into the graph, plans it and has the result
 * judged. The recomputations have the kernels of the steps that they repeat, so results are equal to the bit.
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
   * Sums that are split, so that they add up one addend at a time.
   *
   * @param split how many sums are split
   * @param compiler compiles the graph with the sums of these names split
   */
  record Sums(int split, Function<Set<String>, Recomputation> compiler) {}

  /** How often the planner is asked again, for less, when offsets take more than the bytes live at once. */
  private static final int ATTEMPTS = 4;

  /** The graph itself when it fits the limit of the options; else one with recomputations if there is one that fits. */
  CompiledGraph applied() {
    MemoryNeed need = MemoryNeed.of(once, isHost);
    RecomputeOptions recompute = options.recompute();
    Optional<CompiledGraph> copied = HintedSteps.copied(this, need);
    if (copied.isPresent()) {
      return copied.get();
    }
    if (recompute.mode() == RecomputeMode.OFF || recompute.limitBytes().isEmpty()
      || need.totalBytes() <= recompute.limitBytes().getAsLong()) {
      return once;
    }
    long budget = planBudget(need, recompute.limitBytes().getAsLong());
    if (recompute.mode().isTensorFlow()) {
      return new TensorFlowFitting(this).within(budget);
    }
    boolean isOwnMode = isOwnMode();
    boolean copies = !isHost && isOwnMode;
    if (recompute.offload() == OffloadChoice.ONLY) {
      return copies ? offloaded(budget, Double.MAX_VALUE).orElse(once) : once;
    }
    CompiledGraph answer = within(budget);
    Recomputed facts = answer.recomputed().orElseThrow();
    if (copies && recompute.offload() == OffloadChoice.AUTO) {
      Optional<CompiledGraph> offloaded = offloaded(budget, facts.fits() ? facts.cost() : Double.MAX_VALUE);
      if (offloaded.isPresent()) {
        return offloaded.get();
      }
    }
    return !isOwnMode || facts.fits()
      ? answer
      : new WeightStreaming(this).applied(answer, recompute.limitBytes().getAsLong());
  }

  /** The bytes that are left for the plan. */
  static long planBudget(MemoryNeed need, long limitBytes) {
    long beside = limitBytes - need.besidePlanBytes();
    return Math.max(0, beside / Alignment.CHUNK_BYTES * Alignment.CHUNK_BYTES);
  }

  boolean isOwnMode() {
    return options.recompute().mode().searches();
  }

  private Optional<CompiledGraph> offloaded(long budgetBytes, double mostWork) {
    return new Offloading(this, given()).within(budgetBytes, mostWork);
  }

  /** The options for graphs with copies: in place of the usual planner, one that moves buffers above the limit. */
  CompileOptions tight() {
    return options.planner() == PlannerChoice.BEST_FIT ? options.withPlanner(PlannerChoice.IMPROVE) : options;
  }

  /** The choices, in the graph's order. */
  RecomputeChoices choices() {
    Start start = given();
    return new RecomputeChoices(start.problem, start.storage.steps(), operators);
  }

  /** A graph in an order to begin with, and its problem. */
  record Start(IndexedGraph graph, Storage storage, RecomputeProblem problem) {}

  /** A graph within the budget, by the mode's words; if none fits, the graph as it was, with facts on the attempts. */
  CompiledGraph within(long budgetBytes) {
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
    return new Start(graph, storage, RecomputeAnalysis.of(graph, storage, planning.wantedOperators(), costs()));
  }

  /** The costs of the steps. */
  StepCosts costs() {
    return new StepCosts(new StepWork(once.types(), operators, isHost ? StepWork.OF_PROCESSOR : StepWork.OF_GPU),
      options.recompute()
        .measuredNanos(),
      once.storage().steps());
  }

  /** The outcome of one start: a graph that fits, if there is one, and the least bytes that were reached. */
  private record Tried(Optional<CompiledGraph> compiled, RecomputeAnswer answer, long leastBytes) {}

  private Tried tried(Start start, long budgetBytes) {
    long least = once.plan().peakBytes();
    long target = budgetBytes;
    RecomputeAnswer answer = answer(start, target);
    for (int attempt = 1; attempt < ATTEMPTS && answer.fits(); attempt++) {
      CompiledGraph again = made(start, answer, "recompute", budgetBytes).graph;
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

  RecomputeAnswer answer(Start start, long targetBytes) {
    RecomputeMode mode = options.recompute().mode();
    if (mode == RecomputeMode.EXACT) {
      return ResidentSetSearch.answer(start.problem, targetBytes);
    }
    return mode.rule().isEmpty()
      ? RecomputePlanner.plan(start.problem, targetBytes, options.recompute().searchWork())
      : new RecomputeChoices(start.problem, start.storage.steps(), operators).answers(mode, List.of(targetBytes))
        .getFirst();
  }

  /** A graph with recomputations, and the kernels of its nodes. */
  record Made(CompiledGraph graph, Map<Node, KernelRow> kernels) {}

  Made made(Start start, RecomputeAnswer answer, String change, long budgetBytes) {
    RecomputeRewrite.Rewritten rewritten = RecomputeRewrite.applied(start.graph.graph(), start.storage.steps(),
      start.storage
        .variables().direct(),
      answer.word());
    Carried carried = Carried.of(once, kernels).to(rewritten.graph(), rewritten::original);
    judge(start.problem, answer, rewritten, carried);
    GraphPlanning.Laid laid = planning(carried).inOrder(rewritten.graph());
    List<String> recomputations = laid.storage().steps().stream()
      .filter(it -> !it.name().equals(rewritten.original(it).name()))
      .map(Node::name).toList();
    long peak = MemoryNeed.inChunks(laid.plan()).peakBytes();
    return new Made(carried.compiled(laid, change, Optional.of(facts(start, answer, true, budgetBytes,
      peak, recomputations)), Optional.empty()), carried.kernels());
  }

  private void judge(RecomputeProblem problem, RecomputeAnswer answer, RecomputeRewrite.Rewritten rewritten,
    Carried carried) {
    requireEqual(rewritten.graph(), carried, rewritten::original);
    if (WordJudge.cost(problem, answer.word()) != answer.cost() || WordJudge.peak(problem, answer.word()) != answer
      .peakBytes() || answer.bound() > answer.cost()) {
      throw new IllegalStateException("the planner of recomputation says other than its judge: graph=%s cost=%d peak=%d"
        .formatted(rewritten.graph().name(), answer.cost(), answer.peakBytes()));
    }
  }

  /** Requires that a graph computes the same values as this one. {@link ValueNumbers} compares the two. */
  void requireEqual(Graph graph, Carried carried, UnaryOperator<Node> original) {
    ValueNumbers.requireEqual(new ValueNumbers.Judged(once.graph().graph(), Carried.of(once, kernels)::kernel),
      new ValueNumbers.Judged(graph, carried::kernel), original, node -> node.kind() instanceof NodeKind.Control
        || (node.kind() instanceof NodeKind.Apply && !operators.isPure(node.operator())));
  }

  GraphPlanning planning(Carried carried) {
    return carried.planning(operators, options, isHost);
  }

  Recomputed facts(Start start, RecomputeAnswer answer, boolean fits, long budgetBytes, long peakBytes,
    List<String> recomputations) {
    RecomputeProblem problem = start.problem;
    RecomputeProblem.Floor floor = problem.floor();
    var facts = new Recomputed(fits, budgetBytes, peakBytes, MemoryNeed.inChunks(once.plan()).peakBytes(),
      fits ? answer.cost() : problem.costOnce(), problem.costOnce(), answer.bound(),
      problem.nodes() + recomputations.size(),
      recomputations, floor.bytes(), new WeightStreaming(this).leastBytes(floor.bytes()),
      problem.nodes() == 0 ? "no step" : problem.name(floor.node()), floorHolds(start),
      sums.split);
    return hinted.map(facts::after).orElse(facts);
  }

  /** The values that the step of the floor reads and makes. */
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
