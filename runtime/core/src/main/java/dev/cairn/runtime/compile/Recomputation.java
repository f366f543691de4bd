package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.allocator.Alignment;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.recompute.RematAnalysis;
import dev.cairn.runtime.memory.recompute.RematRewrite;
import dev.cairn.runtime.memory.recompute.StepWork;
import dev.cairn.runtime.memory.recompute.ValueNumbers;
import dev.cairn.runtime.memory.remat.RematAnswer;
import dev.cairn.runtime.memory.remat.RematProblem;
import dev.cairn.runtime.memory.remat.WordJudge;
import dev.cairn.runtime.memory.remat.search.RematPlanner;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.pass.PassReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a compiled graph fit a limit: chooses steps to run again, puts them into the graph, plans it and has the result
 * judged. The reruns have the kernels of the steps that they repeat, so results are equal to the bit.
 *
 * @param once the graph as compiled without a limit
 * @param kernels of its steps
 * @param isHost whether kernels read and write host memory
 */
record Recomputation(CompiledGraph once, Map<Node, KernelRow> kernels, OperatorTable operators, CompileOptions options,
  boolean isHost) {
  /** How often the planner is asked again, for less, when offsets take more than the bytes live at once. */
  private static final int ATTEMPTS = 4;

  /** The graph itself when it fits the limit of the options; else one with reruns if there is one that fits. */
  CompiledGraph applied() {
    MemoryNeed need = MemoryNeed.of(once, isHost);
    RematOptions remat = options.remat();
    if (remat.mode() == RematMode.OFF || remat.limitBytes().isEmpty()
      || need.totalBytes() <= remat.limitBytes().getAsLong()) {
      return once;
    }
    long budget = remat.limitBytes().getAsLong() - need.besidePlanBytes();
    return within(Math.max(0, budget / Alignment.CHUNK_BYTES * Alignment.CHUNK_BYTES));
  }

  private CompiledGraph within(long budgetBytes) {
    GraphPlanning planning = planning(once.types(), kernels);
    RematProblem problem = RematAnalysis.of(once.graph(), planning.separate(once.graph()), planning.wantedOperators(),
      new StepWork(once.types(), isHost ? StepWork.OF_PROCESSOR : StepWork.OF_GPU)::cost);
    long work = options.remat().mode().work();
    long least = once.plan().peakBytes();
    RematAnswer answer = RematPlanner.plan(problem, budgetBytes, work);
    long target = budgetBytes;
    for (int attempt = 1; attempt < ATTEMPTS && answer.fits(); attempt++) {
      CompiledGraph again = rewritten(problem, answer, budgetBytes);
      long bytes = MemoryNeed.inChunks(again.plan()).peakBytes();
      if (bytes <= budgetBytes) {
        return again;
      }
      least = Math.min(least, bytes);
      target = Math.max(0, target - (bytes - budgetBytes));
      answer = RematPlanner.plan(problem, target, work);
    }
    least = Math.min(least, answer.fits() ? least : answer.peakBytes());
    return with(once, facts(problem, answer, false, budgetBytes, least, List.of()));
  }

  private CompiledGraph rewritten(RematProblem problem, RematAnswer answer, long budgetBytes) {
    Graph before = once.graph().graph();
    RematRewrite.Rewritten rewritten = RematRewrite.applied(before, once.storage().steps(), once.storage().variables()
      .direct(), answer.word());
    Map<Node, KernelRow> rows = new HashMap<>();
    Map<NodeEntry, TensorType> types = new HashMap<>();
    List<String> reruns = new ArrayList<>();
    for (Node node : rewritten.graph().nodes()) {
      Node original = rewritten.original(node);
      KernelRow row = kernels.get(original);
      if (row != null) {
        rows.put(node, row);
      }
      for (int i = 0; i < node.kind().outputs(); i++) {
        types.put(node.entry(i), once.types().type(original.entry(i)));
      }
    }
    GraphTypes known = once.types().with(types);
    GraphPlanning.Laid laid = planning(known, rows).inOrder(rewritten.graph());
    laid.storage().steps().stream().filter(it -> !it.name().equals(rewritten.original(it).name())).forEach(it -> reruns
      .add(it.name()));
    judge(problem, answer, rewritten, rows);
    List<KernelRow> ofSteps = laid.storage().steps().stream().map(rows::get).toList();
    var compiled = new CompiledGraph(laid.graph(), known, ofSteps, laid.storage(), laid.schedule(), laid.plan(),
      PlanScore.of(laid.storage().problem(), laid.plan()), report(laid.graph().graph()), laid.planNanos(), Optional
        .empty());
    return with(compiled, facts(problem, answer, true, budgetBytes, MemoryNeed.inChunks(laid.plan()).peakBytes(),
      reruns));
  }

  private void judge(RematProblem problem, RematAnswer answer, RematRewrite.Rewritten rewritten,
    Map<Node, KernelRow> rows) {
    ValueNumbers.requireEqual(new ValueNumbers.Judged(once.graph().graph(), node -> kernel(node, kernels)),
      new ValueNumbers.Judged(rewritten.graph(), node -> kernel(node, rows)), rewritten::original,
      node -> node.kind() instanceof NodeKind.Control || (node.kind() instanceof NodeKind.Apply
        && !operators.isPure(node.operator())));
    if (WordJudge.cost(problem, answer.word()) != answer.cost() || WordJudge.peak(problem, answer.word()) != answer
      .peakBytes() || answer.bound() > answer.cost()) {
      throw new IllegalStateException("the planner of recomputation says other than its judge: graph=%s cost=%d peak=%d"
        .formatted(rewritten.graph().name(), answer.cost(), answer.peakBytes()));
    }
  }

  private static Object kernel(Node node, Map<Node, KernelRow> rows) {
    KernelRow row = rows.get(node);
    return row == null ? "none" : row;
  }

  private GraphPlanning planning(GraphTypes types, Map<Node, KernelRow> rows) {
    return new GraphPlanning(operators, types, node -> KernelChoice.workspaceBytes(node, types, it -> {
      KernelRow row = rows.get(node);
      return row == null ? 0 : row.kernel().workspaceBytes(it);
    }), options.withStreams(1), isHost);
  }

  private PassReport report(Graph graph) {
    List<PassReport.Step> steps = new ArrayList<>(once.passes().steps());
    steps.add(new PassReport.Step("recompute", 1, PassReport.Size.of(once.graph().graph()), PassReport.Size.of(graph),
      true));
    return new PassReport(steps);
  }

  private Recomputed facts(RematProblem problem, RematAnswer answer, boolean fits, long budgetBytes, long peakBytes,
    List<String> reruns) {
    RematProblem.Floor floor = problem.floor();
    return new Recomputed(fits, budgetBytes, peakBytes, MemoryNeed.inChunks(once.plan()).peakBytes(),
      fits ? answer.cost() : problem.costOnce(), problem.costOnce(), answer.bound(), problem.nodes() + reruns.size(),
      reruns, floor.bytes(), problem.nodes() == 0 ? "no step" : problem.name(floor.node()));
  }

  private static CompiledGraph with(CompiledGraph compiled, Recomputed facts) {
    return new CompiledGraph(compiled.graph(), compiled.types(), compiled.kernels(), compiled.storage(), compiled
      .schedule(), compiled.plan(), compiled.score(), compiled.passes(), compiled.planNanos(), Optional.of(facts));
  }
}
