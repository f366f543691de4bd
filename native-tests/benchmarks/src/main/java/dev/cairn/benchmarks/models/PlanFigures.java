package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.ModelFiles;
import dev.cairn.runtime.session.SessionOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A model's memory plan, as a session with default options has it.
 *
 * @param peakBytes what the plan takes
 * @param boundBytes what no plan can go below
 * @param separateBytes what the run would take if every result and every workspace had bytes of its own
 * @param steps how many kernels a run launches
 * @param buffers how many buffers the planner placed
 * @param firstNanos how long the planner took the first time in this process for this model
 * @param medianNanos how long it takes when it is asked again and again
 */
record PlanFigures(long peakBytes, long boundBytes, long separateBytes, int steps, int buffers, long firstNanos,
  long medianNanos) {

  /** @param repeats how often the same problem is planned */
  static PlanFigures of(Path model, int repeats) {
    CompiledGraph compiled = compile(ModelFiles.read(model));
    MemoryProblem problem = compiled.storage().problem();
    MemoryPlanner planner = CompileOptions.DEFAULT.planner().planner();
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < repeats; i++) {
      long started = System.nanoTime();
      long peakBytes = planner.plan(problem).peakBytes();
      nanos.add(System.nanoTime() - started);
      if (peakBytes != compiled.plan().peakBytes()) {
        throw new IllegalStateException("the same problem got two plans: peaks=%d,%d model=%s".formatted(compiled.plan()
          .peakBytes(), peakBytes, model));
      }
    }
    return new PlanFigures(compiled.score().peakBytes(), compiled.score().boundBytes(),
      compiled.storage().separateBytes(), compiled.storage().steps().size(), problem.size(), compiled.planNanos(),
      Math.round(Sample.of(nanos).median()));
  }

  /** Bytes of a model's weights as a session keeps them. */
  static long weightBytes(Path model) {
    Graph graph = ModelFiles.read(model);
    try (ModelCompiler compiler = ModelCompiler.open(SessionOptions.DEFAULT)) {
      return MemoryNeed.of(compile(graph, compiler), compiler.isHost()).weightBytes();
    }
  }

  private static CompiledGraph compile(Graph graph) {
    try (ModelCompiler compiler = ModelCompiler.open(SessionOptions.DEFAULT)) {
      return compile(graph, compiler);
    }
  }

  private static CompiledGraph compile(Graph graph, ModelCompiler compiler) {
    return compiler.compile(graph, InputBinding.ofShapes(graph, Map.of()), CompileOptions.DEFAULT);
  }

  /** 1 at best. */
  double ofBound() {
    return ratio(peakBytes, boundBytes);
  }

  double ofSeparate() {
    return ratio(peakBytes, separateBytes);
  }

  private static double ratio(long bytes, long of) {
    return bytes == of ? 1 : (double) bytes / of;
  }
}
