package dev.cairn.benchmarks.planning;

import dev.cairn.benchmarks.harness.Places;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.ModelFiles;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A model that Cairn runs: the light models of the ONNX tests whose files are there, and the zoo at batch 1. */
record OwnModel(String name, Supplier<Graph> graph) {
  private static final List<String> LIGHT = List.of("bvlc_alexnet", "densenet121", "inception_v1", "inception_v2",
    "resnet50", "shufflenet", "squeezenet", "vgg19", "zfnet512");

  static List<OwnModel> all(Places places) {
    List<OwnModel> models = new ArrayList<>();
    for (String name : LIGHT) {
      Path file = places.data("onnx-light/light_" + name + ".onnx");
      if (Files.exists(file)) {
        models.add(new OwnModel("light_" + name, () -> ModelFiles.read(file)));
      } else {
        System.err.printf("light_%s skipped: no data%n", name);
      }
    }
    models.addAll(zoo());
    return List.copyOf(models);
  }

  /** The reference models, which need no data. */
  static List<OwnModel> zoo() {
    return Zoo.names().stream().map(name -> new OwnModel(name, () -> Zoo.build(name, ZooOptions.DEFAULT))).toList();
  }

  CompiledGraph compiled(CompileOptions options) {
    try (var device = new CpuDevice(1)) {
      Graph model = graph.get();
      var compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
      return compiler.compile(model, InputBinding.ofShapes(model, Map.of()), options);
    }
  }
}
