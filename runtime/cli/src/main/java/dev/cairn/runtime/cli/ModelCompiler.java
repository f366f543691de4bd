package dev.cairn.runtime.cli;

import dev.cairn.kernels.catalog.family.StandardKernels;
import dev.cairn.kernels.cpu.CpuDevice;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Map;

/** Compiles a model as a session would, for commands that run nothing. */
final class ModelCompiler {
  private ModelCompiler() {}

  static CompiledGraph compile(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    try (var device = CpuDevice.ofAllProcessors()) {
      var compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
      return compiler.compile(graph, inputs, options);
    }
  }
}
