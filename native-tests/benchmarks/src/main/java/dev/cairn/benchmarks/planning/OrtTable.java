package dev.cairn.benchmarks.planning;

import dev.cairn.benchmarks.allocator.arena.OrtPeak;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Cairn's planned arena beside the most that ONNX Runtime's arena has in use in a run of the same model. */
final class OrtTable implements PlanningTable {
  @Override
  public String name() {
    return "onnxruntime";
  }

  @Override
  public List<Section> measured(Places places, PlanningEffort effort) throws IOException {
    if (!OrtPeak.isThere()) {
      return List.of();
    }
    OrtPeak runtime = OrtPeak.load();
    var table = new MarkdownTable("model", "Cairn's plan, MB", "of that scratch memory at the peak",
      "ONNX Runtime's arena, MB", "Cairn / ONNX Runtime");
    List<Double> ratios = new ArrayList<>();
    for (OwnModel model : OwnModel.zoo()) {
      System.err.printf("onnxruntime      %s%n", model.name());
      CompiledGraph compiled = model.compiled(CompileOptions.DEFAULT);
      long bytes = compiled.plan().peakBytes();
      long theirs = theirs(runtime, model);
      ratios.add((double) bytes / theirs);
      table.row(model.name(), number(bytes / 1e6), number(scratchBytes(compiled) / 1e6), number(theirs / 1e6), number(
        (double) bytes / theirs));
    }
    double mean = Sample.of(ratios).geometricMean();
    table.row("geometric mean", "", "", "", number(mean));
    return List.of(new Section("Beside ONNX Runtime " + runtime.version(),
      """
        The arena that Cairn has planned, for the models of the zoo, over the most bytes that ONNX Runtime's arena
        has in use in three runs, less what is in use before: its own statistics, weights outside. Both hold
        intermediate results, outputs and scratch memory; the graphs are not the same after each engine's passes,
        and kernels want scratch memory of different sizes.""",
      table,
      List.of(Figure.told("of-onnxruntime", mean, 3))));
  }

  private static long theirs(OrtPeak runtime, OwnModel model) throws IOException {
    Graph graph = model.graph().get();
    Path file = Files.createTempFile("cairn-benchmarks", ".onnx");
    try {
      OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
      return runtime.bytes(file, InputBinding.ofShapes(graph, Map.of()),
        graph.outputs().stream().map(Graph.Output::name)
          .toList());
    } finally {
      Files.delete(file);
    }
  }

  /** Of the step at which most is live. */
  private static long scratchBytes(CompiledGraph compiled) {
    var problem = compiled.storage().problem();
    int step = LowerBound.of(problem).step();
    return compiled.storage().workspaces().get(step).map(it -> problem.buffer(it.buffer()).reservedBytes()).orElse(0L);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }
}
