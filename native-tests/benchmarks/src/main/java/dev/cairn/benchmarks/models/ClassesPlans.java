package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.harness.TemporaryFolder;
import dev.cairn.benchmarks.written.WrittenModel;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.ModelFiles;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** The memory plans of written models, as a session has them after a run: values of inputs may decide shapes. */
final class ClassesPlans {
  /**
   * The plan's figures of one model.
   *
   * @param words how much of it
   * @param scores of the whole plan, or of each part's
   */
  private record Planned(String words, List<PlanScore> scores) {
    long peakBytes() {
      return scores.stream().mapToLong(PlanScore::peakBytes).max().orElse(0);
    }

    long boundBytes() {
      return scores.stream().mapToLong(PlanScore::boundBytes).max().orElse(0);
    }
  }

  private ClassesPlans() {}

  static Section section(Map<String, Supplier<WrittenModel>> models) throws IOException {
    var table = new MarkdownTable("model", "planned", "peak, KiB", "bound, KiB", "peak / bound");
    try (var folder = new TemporaryFolder()) {
      for (Map.Entry<String, Supplier<WrittenModel>> model : models.entrySet()) {
        Path file = Files.write(folder.path().resolve(model.getKey() + ".onnx"), model.getValue().get().file());
        Planned planned = planned(file);
        table.row(model.getKey(), planned.words, kib(planned.peakBytes()), kib(planned.boundBytes()), MarkdownTable
          .number(3, (double) planned.peakBytes() / Math.max(1, planned.boundBytes())));
      }
    }
    return new Section("Memory plans", """
      What one plan holds besides weights and results, on the processor. A model whose shapes depend on computed values
      runs in parts: the row has the largest part, and the share of the bytes that steps with plans write.
      """, table, List.of());
  }

  private static String kib(long bytes) {
    return MarkdownTable.number(1, bytes / 1024.0);
  }

  private static Planned planned(Path file) throws IOException {
    try (Arena arena = Arena.ofConfined(); Session session = Session.open(file, SessionOptions.DEFAULT)) {
      Map<String, TensorType> types = new LinkedHashMap<>();
      session.info().inputs().forEach((name, type) -> types.put(name, type.known().orElseThrow()));
      Map<String, Tensor> inputs = new LinkedHashMap<>();
      try {
        GeneratedInputs.of(types, arena).forEach((name, view) -> inputs.put(name, Tensor.copyOf(view)));
        session.run(inputs).close();
      } finally {
        inputs.values().forEach(Tensor::close);
      }
      return session.compiled().map(it -> new Planned("whole", List.of(it.score()))).orElseGet(() -> new Planned(
        inParts(file, types), session.compiledParts().stream().map(CompiledGraph::score).toList()));
    }
  }

  private static String inParts(Path file, Map<String, TensorType> types) {
    try (ModelCompiler compiler = ModelCompiler.open(SessionOptions.DEFAULT)) {
      OptionalDouble share = compiler.parts(ModelFiles.read(file), types, SessionOptions.DEFAULT.compile())
        .plannedShare();
      return share.isPresent() ? "in parts, %.1f %%".formatted(100 * share.getAsDouble()) : "in parts";
    }
  }
}
