package dev.cairn.runtime.zoo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.catalog.family.StandardKernels;
import dev.cairn.kernels.cpu.CpuDevice;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What fusion makes of the reference models: fewer steps, and never a larger plan. */
class ZooFusionTest {
  @ParameterizedTest
  @CsvSource({"mlp, 0", "resnet50, 16", "mobilenet_v2, 0", "bert_base, 48", "gpt2, 48"})
  void fewerStepsAndNoLargerPlan(String name, int stepsGone) {
    Graph graph = Zoo.build(name, ZooOptions.DEFAULT.withSequenceLength(64));
    try (var device = new CpuDevice(1)) {
      var compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
      CompiledGraph before = compile(compiler, graph, CompileOptions.DEFAULT.withFusion(FusionChoice.OFF));
      CompiledGraph after = compile(compiler, graph, CompileOptions.DEFAULT.withFusion(FusionChoice.ON));
      int gone = before.storage().steps().size() - after.storage().steps().size();
      String facts = "%s: steps=%d gone=%d peakBytes=%d fusedPeakBytes=%d naive=%d fusedNaive=%d".formatted(name, before
        .storage().steps().size(), gone, before.plan().peakBytes(), after.plan().peakBytes(),
        before.storage().problem()
          .naiveBytes(),
        after.storage().problem().naiveBytes());
      System.out.println(facts);
      assertTrue(gone >= stepsGone, facts);
      assertTrue(after.plan().peakBytes() <= before.plan().peakBytes(), facts);
    }
  }

  private static CompiledGraph compile(Compiler compiler, Graph graph, CompileOptions options) {
    return compiler.compile(graph, InputBinding.ofShapes(graph, Map.of()), options);
  }
}
