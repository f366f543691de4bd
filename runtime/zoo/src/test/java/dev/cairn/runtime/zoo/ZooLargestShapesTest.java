package dev.cairn.runtime.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan for a batch of 8 serves every smaller batch of the reference models, and no larger one. */
class ZooLargestShapesTest {
  @ParameterizedTest
  @ValueSource(strings = {"mlp", "mobilenet_v2", "resnet50"})
  void aPlanForEightServesFewer(String name) {
    Graph graph = Zoo.build(name, ZooOptions.DEFAULT.withSymbolicBatch());
    try (var device = new CpuDevice(1)) {
      var compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
      CompiledGraph eight = compiler.compileLargest(graph, types(graph, 8), CompileOptions.DEFAULT);
      for (long batch : List.of(1L, 2L, 5L, 8L)) {
        CompiledGraph fewer = compiler.compileWithin(eight, graph, types(graph, batch), CompileOptions.DEFAULT);
        assertEquals(List.of(), PlanValidator.validate(fewer.storage().problem(), fewer.plan()));
        assertEquals(eight.plan().pools(), fewer.plan().pools());
        assertEquals(batch, fewer.outputTypes().values().iterator().next().shape().extent(0));
      }
      var e = assertThrows(IllegalArgumentException.class, () -> compiler.compileWithin(eight, graph, types(graph, 9),
        CompileOptions.DEFAULT));
      assertTrue(e.toString().contains("buffer="), e.toString());
    }
  }

  private static Map<String, TensorType> types(Graph graph, long batch) {
    Map<String, Shape> shapes = new HashMap<>();
    for (Node input : graph.inputs()) {
      var type = ((NodeKind.Input) input.kind()).type();
      shapes.put(input.name(), Shape.of(type.dimensions().stream()
        .mapToLong(it -> it instanceof Dimension.Fixed(long extent) ? extent : batch).toArray()));
    }
    return InputBinding.ofShapes(graph, shapes);
  }
}
