package dev.cairn.runtime.zoo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator;
import dev.cairn.runtime.memory.analysis.StepUses;
import dev.cairn.runtime.memory.analysis.StreamAnalysis;
import dev.cairn.runtime.memory.analysis.StreamReuse;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What plans on several streams cost the reference models. All are proved. */
class ZooStreamsTest {
  @ParameterizedTest
  @ValueSource(strings = {"mlp", "resnet50", "mobilenet_v2"})
  void severalStreamsTakeAtMostATenthMoreThanOne(String name) {
    requireLittleMore(name);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"bert_base", "gpt2"})
  void severalStreamsOfTextModelsTakeAtMostATenthMoreThanOne(String name) {
    requireLittleMore(name);
  }

  private static void requireLittleMore(String name) {
    Graph graph = Zoo.build(name, ZooOptions.DEFAULT);
    try (var device = new CpuDevice(1)) {
      var compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
      CompiledGraph serial = compile(compiler, graph, CompileOptions.DEFAULT);
      for (StreamReuse reuse : StreamReuse.values()) {
        for (int streams = 2; streams <= 3; streams++) {
          CompiledGraph compiled = compile(compiler, graph,
            CompileOptions.DEFAULT.withStreams(streams).withStreamReuse(reuse));
          double ratio = print(name + " " + reuse, compiled.schedule(), compiled.plan().peakBytes(), serial);
          assertTrue(ratio <= 1.1, () -> name + " takes of serial " + ratio);
        }
        print(name + " " + reuse + " without limit", serial, reuse);
      }
    }
  }

  private static void print(String what, CompiledGraph serial, StreamReuse reuse) {
    StreamSchedule schedule = StreamAnalysis.schedule(StepUses.of(serial.graph(), serial.storage()), 2);
    MemoryProblem problem = serial.storage().problem();
    problem = problem.with(StreamAnalysis.conflicts(problem, schedule, reuse));
    var plan = CompileOptions.DEFAULT.planner().planner().plan(problem);
    print(what, schedule, ConcurrentPlanValidator.requireValid(problem, plan, schedule).peakBytes(), serial);
  }

  private static double print(String what, StreamSchedule schedule, long peakBytes, CompiledGraph serial) {
    double ratio = (double) peakBytes / serial.plan().peakBytes();
    System.out.printf("%s: streams=%d steps=%d beside=%d events=%d peak=%d ofSerial=%.4f%n", what, schedule.streams(),
      schedule.steps().size(), schedule.steps().size() - schedule.stepsOn(0), schedule.events(), peakBytes, ratio);
    return ratio;
  }

  private static CompiledGraph compile(Compiler compiler, Graph graph, CompileOptions options) {
    return compiler.compile(graph, InputBinding.ofShapes(graph, Map.of()), options);
  }
}
