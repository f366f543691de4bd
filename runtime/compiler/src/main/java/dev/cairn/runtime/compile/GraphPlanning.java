package dev.cairn.runtime.compile;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanForLargest;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.analysis.BoundResults;
import dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator;
import dev.cairn.runtime.memory.analysis.GraphPlanner;
import dev.cairn.runtime.memory.analysis.StepOrder;
import dev.cairn.runtime.memory.analysis.StepUses;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.memory.analysis.StorageAnalysis;
import dev.cairn.runtime.memory.analysis.StorageForLargest;
import dev.cairn.runtime.memory.analysis.StreamAnalysis;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.memory.analysis.VariableCheck;
import dev.cairn.runtime.memory.order.ChosenOrder;
import dev.cairn.runtime.memory.order.EagerOrder;
import dev.cairn.runtime.memory.order.MemoryOrder;
import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.pass.PassReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Decides when each step runs and where each buffer lies: the graph's order, or another one whose plan is smaller.
 *
 * @param types of the graph's entries
 * @param workspaceBytes scratch bytes that the kernel of a node wants
 * @param boundResults whether kernels write outputs into the caller's memory, so that the plan is without them
 */
record GraphPlanning(OperatorTable operators, GraphTypes types, ToLongFunction<Node> workspaceBytes,
  CompileOptions options,
  boolean boundResults) {
  /** Every buffer starts at a multiple of this: a cache line, and the widest vector. */
  static final long BUFFER_ALIGNMENT = 64;

  /**
   * A graph in the order that was chosen.
   *
   * @param plan judged valid
   * @param planNanos how long its planner took
   * @param reordered whether the order is another than the graph had
   */
  record Laid(IndexedGraph graph, Storage storage, StreamSchedule schedule, MemoryPlan plan, long planNanos,
    boolean reordered) {
    /** A report with the changes of the order. */
    PassReport reported(PassReport passes) {
      if (!reordered) {
        return passes;
      }
      List<PassReport.Step> steps = new ArrayList<>(passes.steps());
      var size = PassReport.Size.of(graph.graph());
      steps.add(new PassReport.Step("reorder", 1, size, size, true));
      return new PassReport(steps);
    }
  }

  /** The decisions for the largest shapes, applied to smaller ones. */
  static Laid within(CompiledGraph largest, Graph graph, GraphTypes types, ToLongFunction<Node> workspaceBytes) {
    var decided = new StorageForLargest(largest.graph(), largest.storage());
    var indexed = new IndexedGraph(decided.ordered(graph));
    Storage storage = decided.resized(indexed, types, workspaceBytes);
    VariableCheck.requireSound(indexed, storage);
    long started = System.nanoTime();
    MemoryPlan plan = new PlanForLargest(largest.storage().problem(), largest.plan()).serve(storage.problem());
    return new Laid(indexed, storage, largest.schedule(), plan, System.nanoTime() - started, false);
  }

  Laid of(Graph graph) {
    Laid serial = serial(graph);
    return options.streams() == 1 ? serial : onStreams(serial);
  }

  private Laid serial(Graph graph) {
    Laid given = laid(graph, false);
    if (!options.reorder()) {
      return given;
    }
    // In a graph with assigns, early updates are better among orders with the same peak.
    boolean assigns = !graph.assigns().isEmpty();
    Laid first = assigns
      ? eager(given.graph).map(it -> laid(it, true)).filter(it -> it.plan.peakBytes() <= given.plan
        .peakBytes()).orElse(given)
      : given;
    return better(first.graph, assigns).map(it -> laid(it, true))
      .filter(it -> it.plan.peakBytes() < first.plan.peakBytes()).orElse(first);
  }

  private Laid laid(Graph graph, boolean reordered) {
    var indexed = new IndexedGraph(graph);
    Optional<GraphPlanner> ofGraphs = options.planner().ofGraphs();
    if (ofGraphs.isPresent()) {
      return laidBy(ofGraphs.get(), indexed, reordered);
    }
    Storage storage = storage(indexed, wantedOperators());
    VariableCheck.requireSound(indexed, storage);
    long started = System.nanoTime();
    MemoryPlan plan = plan(storage.problem());
    return new Laid(indexed, storage, serialSchedule(indexed, storage), plan, System.nanoTime() - started, reordered);
  }

  /** The planner also decides what runs in place. */
  private Laid laidBy(GraphPlanner planner, IndexedGraph graph, boolean reordered) {
    long started = System.nanoTime();
    GraphPlanner.PlannedStorage planned = planner.plan(graph, types, wantedOperators(), workspaceBytes,
      BUFFER_ALIGNMENT);
    long nanos = System.nanoTime() - started;
    Storage storage = planned.storage();
    VariableCheck.requireSound(graph, storage);
    var named = new MemoryPlan(options.planner().toString(), planned.plan().pools(), planned.plan().placements());
    MemoryPlan plan = PlanValidator.requireValid(storage.problem(), named);
    return new Laid(graph, storage, serialSchedule(graph, storage), plan, nanos, reordered);
  }

  /** The graph on one stream in the order that it has. */
  Laid inOrder(Graph graph) {
    return laid(graph, false);
  }

  /** The operators, without traits that the options do not allow. */
  OperatorTable wantedOperators() {
    return options.inPlace() ? operators : operators.withoutInPlace();
  }

  private static StreamSchedule serialSchedule(IndexedGraph graph, Storage storage) {
    return StreamAnalysis.schedule(StepUses.of(graph, storage), 1);
  }

  /** The same order on several streams, as far as the plan then takes little more. */
  private Laid onStreams(Laid serial) {
    MemoryProblem problem = serial.storage.problem();
    long limitBytes = (long) (serial.plan.peakBytes() * options.streamMemory());
    StreamSchedule schedule = StreamAnalysis.scheduleWithin(limitBytes, StepUses.of(serial.graph, serial.storage),
      problem, options.streams(), options.streamReuse(), options.planner().planner());
    Storage storage = serial.storage.with(problem.with(StreamAnalysis.conflicts(problem, schedule, options
      .streamReuse())));
    long started = System.nanoTime();
    MemoryPlan plan = ConcurrentPlanValidator.requireValid(storage.problem(), plan(storage.problem()), schedule);
    return new Laid(serial.graph, storage, schedule, plan, System.nanoTime() - started, serial.reordered);
  }

  /** A judged plan for the problem. */
  private MemoryPlan plan(MemoryProblem problem) {
    return PlanValidator.requireValid(problem, options.planner().planner().plan(problem));
  }

  private Storage storage(IndexedGraph graph, OperatorTable table) {
    return bound(graph, StorageAnalysis.analyse(graph, types, table, workspaceBytes, BUFFER_ALIGNMENT));
  }

  private Storage bound(IndexedGraph graph, Storage storage) {
    return boundResults ? BoundResults.of(graph, storage) : storage;
  }

  /** The storage of a graph in which values share no buffers, to search for other orders. */
  Storage separate(IndexedGraph graph) {
    return bound(graph, StorageAnalysis.analyseSeparate(graph, types, wantedOperators(), workspaceBytes,
      BUFFER_ALIGNMENT));
  }

  private StepOrder steps(IndexedGraph graph) {
    return new StepOrder(graph, separate(graph));
  }

  /** Empty when every update runs as early as it can. */
  private Optional<Graph> eager(IndexedGraph graph) {
    StepOrder steps = steps(graph);
    OrderProblem problem = steps.problem(wantedOperators());
    List<Integer> given = IntStream.range(0, problem.nodes()).boxed().toList();
    List<Integer> order = EagerOrder.of(problem, given);
    return order.equals(given) ? Optional.empty() : Optional.of(steps.reordered(order));
  }

  /** Empty when no order is known that holds fewer bytes at once. */
  private Optional<Graph> better(IndexedGraph graph, boolean eager) {
    StepOrder steps = steps(graph);
    OrderProblem problem = steps.problem(wantedOperators());
    ChosenOrder chosen = MemoryOrder.choose(problem);
    return chosen.isBetter()
      ? Optional.of(steps.reordered(eager ? EagerOrder.of(problem, chosen.order()) : chosen.order()))
      : Optional.empty();
  }
}
