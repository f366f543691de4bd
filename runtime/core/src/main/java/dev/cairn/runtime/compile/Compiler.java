package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator;
import dev.cairn.runtime.memory.analysis.KeptValues;
import dev.cairn.runtime.memory.analysis.StepUses;
import dev.cairn.runtime.memory.analysis.Storage;
import dev.cairn.runtime.memory.analysis.StorageAnalysis;
import dev.cairn.runtime.memory.analysis.StreamAnalysis;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.memory.analysis.VariableCheck;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compiles graphs for one device: simplifies, infers, chooses kernels, finds lifetimes, plans, and has the plan judged.
 * Thread-safe as far as the stream is.
 */
public final class Compiler {
  /** Every buffer starts at a multiple of this: a cache line, and the widest vector. */
  public static final long BUFFER_ALIGNMENT = 64;

  private static final int MOST_ROUNDS = 8;
  /** What a plan for several streams may take, in peaks of the plan for one; branches that cost more run in line. */
  private static final double MOST_OF_SERIAL = 1.1;

  private final OperatorTable operators;
  private final KernelChoice kernels;
  private final ValueEvaluator evaluator;

  /** @param stream of a device whose memory the host can read, on which constants are computed */
  public Compiler(OperatorTable operators, KernelCatalog catalog, Stream stream) {
    this.operators = operators;
    this.kernels = new KernelChoice(catalog);
    this.evaluator = new KernelEvaluator(catalog, stream);
  }

  /**
   * @param inputs the type of each of the graph's inputs, by name
   * @throws dev.cairn.runtime.graph.InvalidGraph when the graph breaks a rule for these shapes
   * @throws UnsupportedOperators when no kernel serves a node's types: all such nodes at once
   */
  public CompiledGraph compile(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    var inference = new TypeInference(operators, evaluator);
    PassResult simplified = simplify(graph, inputs, inference, options);
    Graph runnable = KeptValues.applied(simplified.graph());
    GraphTypes types = simplified.types().filter(known -> runnable == simplified.graph())
      .orElseGet(() -> inference.infer(runnable, inputs));
    Map<Node, KernelRow> chosen = chooseKernels(runnable, types);
    var indexed = new IndexedGraph(runnable);
    Storage serial = StorageAnalysis.analyse(indexed, types,
      options.inPlace() ? operators : operators.withoutInPlace(),
      node -> workspaceBytes(chosen, node, types), BUFFER_ALIGNMENT);
    VariableCheck.requireSound(indexed, serial);
    StreamSchedule schedule = schedule(StepUses.of(indexed, serial), serial.problem(), options);
    Storage storage = serial.with(concurrent(serial.problem(), schedule, options));
    List<KernelRow> rows = storage.steps().stream().map(step -> known(chosen, step)).toList();
    long started = System.nanoTime();
    MemoryPlan plan = plan(storage.problem(), schedule, options);
    long planNanos = System.nanoTime() - started;
    PlanScore score = PlanScore.of(storage.problem(), plan);
    return new CompiledGraph(indexed, types, rows, storage, schedule, plan, score, simplified.report(), planNanos);
  }

  private static StreamSchedule schedule(StepUses uses, MemoryProblem serial, CompileOptions options) {
    if (options.streams() == 1) {
      return StreamAnalysis.schedule(uses, 1);
    }
    MemoryPlanner planner = options.planner().planner();
    long limitBytes = (long) (planner.plan(serial).peakBytes() * MOST_OF_SERIAL);
    return StreamAnalysis.scheduleWithin(limitBytes, uses, serial, options.streams(), options.streamReuse(), planner);
  }

  private static MemoryProblem concurrent(MemoryProblem problem, StreamSchedule schedule,
    CompileOptions options) {
    return schedule.streams() == 1
      ? problem
      : problem.with(StreamAnalysis.conflicts(problem, schedule, options.streamReuse()));
  }

  /** A judged plan for the problem. */
  private static MemoryPlan plan(MemoryProblem problem, StreamSchedule schedule, CompileOptions options) {
    MemoryPlan plan = PlanValidator.requireValid(problem, options.planner().planner().plan(problem));
    return schedule.streams() == 1 ? plan : ConcurrentPlanValidator.requireValid(problem, plan, schedule);
  }

  private PassResult simplify(Graph graph, Map<String, TensorType> inputs, TypeInference inference,
    CompileOptions options) {
    if (!options.simplify()) {
      return new PassManager(it -> inference.infer(it, inputs)).run(graph, List.of());
    }
    return new PassManager(it -> inference.infer(it, inputs)).runUntilStable(graph,
      StandardPipelines.simplify(evaluator), MOST_ROUNDS);
  }

  private Map<Node, KernelRow> chooseKernels(Graph graph, GraphTypes types) {
    Map<Node, KernelRow> chosen = new HashMap<>();
    List<UnsupportedOperators.Gap> gaps = new ArrayList<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Apply || node.kind() instanceof NodeKind.Assign) {
        kernels.choose(node, types).ifPresentOrElse(row -> chosen.put(node, row), () -> gaps.add(
          new UnsupportedOperators.Gap(node.name(), node.operator(),
            "no kernel for " + KernelChoice.typesOf(node, types))));
      }
    }
    if (!gaps.isEmpty()) {
      throw new UnsupportedOperators(gaps);
    }
    return chosen;
  }

  private static long workspaceBytes(Map<Node, KernelRow> chosen, Node node, GraphTypes types) {
    return known(chosen, node).kernel().workspaceBytes(KernelChoice.signature(node, types));
  }

  private static KernelRow known(Map<Node, KernelRow> chosen, Node node) {
    KernelRow row = chosen.get(node);
    if (row == null) {
      throw new AssertionError("every step has a kernel: node=" + node.name());
    }
    return row;
  }
}
