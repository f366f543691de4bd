package dev.cairn.conformance;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.executor.StaticExecutor;
import dev.cairn.runtime.executor.WeightStore;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs graphs as a session does, with any catalog and any planner, and looks where a session lets no caller look: every
 * plan is judged again, each run takes the memory that its plan says and none besides, the allocator's invariants hold
 * after every run, and nothing is in use when all is closed.
 */
final class PlannedRun implements AutoCloseable {
  private final CpuDevice device = CpuDevice.ofAllProcessors();

  /** One way to run a graph; the name is for messages. */
  record Setting(String name, KernelCatalog kernels, CompileOptions options) {
    /** The best kernels, planned and simplified like this. */
    static Setting of(PlannerChoice planner, boolean simplify) {
      return new Setting((simplify ? "simplified, " : "as written, ") + planner, StandardKernels.catalog(),
        CompileOptions.DEFAULT.withPlanner(planner).withSimplify(simplify));
    }

    /** The portable kernels, node by node as the model is written. */
    static Setting portable() {
      return new Setting("portable kernels", StandardKernels.portable(), CompileOptions.DEFAULT.withSimplify(false));
    }
  }

  /** A compiled graph with a valid plan. */
  CompiledGraph compile(Graph graph, Map<String, TensorView> inputs, Setting setting) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    graph.inputs().forEach(input -> types.put(input.name(), given(inputs, input.name()).type()));
    var compiler = new Compiler(StandardOperators.table(), setting.kernels(), device.defaultStream());
    CompiledGraph compiled = compiler.compile(graph, types, setting.options());
    PlanValidator.requireValid(compiled.storage().problem(), compiled.plan());
    return compiled;
  }

  /** The same with a valid plan in which no buffer shares memory. */
  static CompiledGraph naive(CompiledGraph compiled) {
    MemoryProblem problem = compiled.storage().problem();
    return compiled.withPlan(PlanValidator.requireValid(problem, PlannerChoice.NAIVE.planner().plan(problem)), 0);
  }

  /** The outputs of one run, copied to memory of their own; what it takes is what the plan says. */
  List<TensorView> run(CompiledGraph compiled, Map<String, TensorView> inputs) {
    Allocator allocator = new BfcAllocator(new NettySubAllocator(),
      BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED));
    List<TensorView> outputs;
    try (var weights = new WeightStore(allocator).store(compiled.storage().constants());
      Arena arena = Arena.ofShared()) {
      AllocatorStats stored = allocator.stats();
      try (var executor = new StaticExecutor(compiled, weights.views(), allocator, device)) {
        AllocatorStats ready = allocator.stats();
        executor.run(bound(compiled, inputs, arena));
        outputs = copies(compiled, executor);
        PlannedMemory.assertAsPlanned(compiled, stored, ready, allocator.stats());
        allocator.validate();
      }
    }
    if (allocator.stats().bytesInUse() != 0 || allocator.stats().liveCount() != 0) {
      throw new AssertionError("blocks are left over: stats=" + allocator.stats());
    }
    allocator.validate();
    allocator.close();
    return outputs;
  }

  private static List<TensorView> bound(CompiledGraph compiled, Map<String, TensorView> inputs, Arena arena) {
    List<TensorView> views = new ArrayList<>();
    compiled.graph().graph().inputs().forEach(input -> {
      TensorView view = given(inputs, input.name());
      MemorySegment memory = arena.allocate(view.type().bytes(), Compiler.BUFFER_ALIGNMENT);
      views.add(new TensorView(view.type(), memory.copyFrom(view.segment())));
    });
    return views;
  }

  private static List<TensorView> copies(CompiledGraph compiled, StaticExecutor executor) {
    List<TensorView> outputs = new ArrayList<>();
    for (int i = 0; i < compiled.graph().graph().outputs().size(); i++) {
      TensorView output = executor.output(i);
      byte[] bytes = output.segment().toArray(ValueLayout.JAVA_BYTE);
      outputs.add(new TensorView(output.type(), MemorySegment.ofArray(bytes)));
    }
    return List.copyOf(outputs);
  }

  private static TensorView given(Map<String, TensorView> inputs, String name) {
    TensorView view = inputs.get(name);
    if (view == null) {
      throw new AssertionError("no value for an input: input=%s given=%s".formatted(name, inputs.keySet()));
    }
    return view;
  }

  @Override
  public void close() {
    device.close();
  }
}
