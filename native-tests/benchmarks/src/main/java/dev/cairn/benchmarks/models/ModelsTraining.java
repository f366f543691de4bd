package dev.cairn.benchmarks.models;

import ai.onnxruntime.OrtException;
import dev.cairn.benchmarks.harness.TemporaryFolder;
import dev.cairn.kernels.cpu.vector.VectorModule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Opens and runs two models with both engines, in one process. The JVM writes an AOT cache that makes the starts
 * of all measured processes faster, as the launcher's does.
 */
public final class ModelsTraining {
  private ModelsTraining() {}

  /** Ends with exit code 0, or an exception. */
  public static void main(String[] arguments) throws OrtException, IOException {
    try (var folder = new TemporaryFolder()) {
      for (String name : List.of("mlp", "mobilenet_v2")) {
        Path file = new Subject.Reference(name).file(folder.path());
        for (EngineChoice engine : List.of(EngineChoice.CAIRN, EngineChoice.ORT)) {
          System.out.println(OneModel.measure(new OneModel.Request(engine, file, 1, 1, 0, 0)));
        }
      }
    }
    boolean _ = VectorModule.load();
  }
}
