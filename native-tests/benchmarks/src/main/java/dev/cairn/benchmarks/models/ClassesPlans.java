package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.harness.TemporaryFolder;
import dev.cairn.benchmarks.written.WrittenModel;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.Tensor;
import dev.cairn.runtime.memory.PlanScore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The memory plans of written models, as a session has them after a run: values of inputs may decide shapes. */
final class ClassesPlans {
  private ClassesPlans() {}

  static Section section(Map<String, Supplier<WrittenModel>> models) throws IOException {
    var table = new MarkdownTable("model", "planned", "peak, KiB", "bound, KiB", "peak / bound");
    try (var folder = new TemporaryFolder()) {
      for (Map.Entry<String, Supplier<WrittenModel>> model : models.entrySet()) {
        Path file = Files.write(folder.path().resolve(model.getKey() + ".onnx"), model.getValue().get().file());
        Optional<PlanScore> score = score(file);
        table.row(model.getKey(), score.isPresent() ? "whole" : "node by node", kib(score.map(PlanScore::peakBytes)),
          kib(score.map(PlanScore::boundBytes)), score.map(it -> MarkdownTable.number(3, (double) it.peakBytes() / Math
            .max(1, it.boundBytes()))).orElse(""));
      }
    }
    return new Section("Memory plans", """
      What one plan holds besides weights and results, on the processor. A model whose shapes depend on computed values
      runs node by node.
      """, table, List.of());
  }

  private static String kib(Optional<Long> bytes) {
    return bytes.map(it -> MarkdownTable.number(1, it / 1024.0)).orElse("");
  }

  private static Optional<PlanScore> score(Path file) {
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
      return session.compiled().map(it -> it.score());
    }
  }
}
