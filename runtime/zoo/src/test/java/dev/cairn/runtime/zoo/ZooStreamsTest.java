package dev.cairn.runtime.zoo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.catalog.family.StandardKernels;
import dev.cairn.kernels.cpu.CpuDevice;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What plans on several streams cost the reference models. The compiler has each of them proved. */
class ZooStreamsTest {
  @ParameterizedTest
  @ValueSource(strings = {"mlp", "resnet50", "mobilenet_v2", "bert_base", "gpt2"})
  void twoStreamsTakeAtMostATenthMoreThanOne(String name) {
    Graph graph = Zoo.build(name, ZooOptions.DEFAULT);
    try (var device = new CpuDevice(1)) {
      var compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
      long serial = compile(compiler, graph, 1).plan().peakBytes();
      for (int streams = 1; streams <= 4; streams++) {
        CompiledGraph compiled = compile(compiler, graph, streams);
        double ratio = (double) compiled.plan().peakBytes() / serial;
        long beside = compiled.storage().steps().size() - compiled.schedule().stepsOn(0);
        System.out.printf("%s streams=%d steps=%d besideTheFirst=%d events=%d conflicts=%d peak=%d ofSerial=%.4f%n", name,
          streams, compiled.storage().steps().size(), beside, compiled.schedule().events(),
          compiled.storage().problem().conflicts().count(), compiled.plan().peakBytes(), ratio);
        assertTrue(streams > 2 || ratio <= 1.1, () -> name + " takes of serial " + ratio);
      }
    }
  }

  private static CompiledGraph compile(Compiler compiler, Graph graph, int streams) {
    return compiler.compile(graph, InputBinding.ofShapes(graph, Map.of()), CompileOptions.DEFAULT.withStreams(streams));
  }
}
