package dev.cairn.benchmarks.breadth;

import ai.onnxruntime.OrtException;
import dev.cairn.benchmarks.models.CairnUnderTest;
import dev.cairn.benchmarks.models.EngineUnderTest;
import dev.cairn.benchmarks.models.OrtUnderTest;
import dev.cairn.benchmarks.models.OutputDigest;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.session.SessionOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A case that is open in both engines, with its inputs bound. */
record BothEngines(EngineUnderTest cairn, EngineUnderTest ort, Arena memory) implements AutoCloseable {

  /**
   * Opens the case.
   *
   * @param file where the model may be written
   * @throws OrtException when ONNX Runtime refuses it
   * @throws RuntimeException when Cairn does
   */
  static BothEngines open(BreadthCase one, long seed, int threads, Path file) throws IOException, OrtException {
    Files.write(file, one.node(seed).file());
    Arena memory = Arena.ofShared();
    EngineUnderTest ort = null;
    EngineUnderTest cairn = null;
    try {
      ort = OrtUnderTest.open(file, threads);
      cairn = CairnUnderTest.open(file, SessionOptions.DEFAULT.withThreads(threads));
      Map<String, TensorView> inputs = CaseInputs.of(ort.inputs(), one, seed, memory);
      ort.bind(inputs);
      cairn.bind(inputs);
      return new BothEngines(cairn, ort, memory);
    } catch (OrtException | RuntimeException | Error e) {
      close(cairn);
      close(ort);
      memory.close();
      throw e;
    }
  }

  private static void close(@Nullable EngineUnderTest engine) throws OrtException {
    if (engine != null) {
      engine.close();
    }
  }

  /** What ONNX Runtime computes; what Cairn computes must agree. */
  OutputDigest digest() throws OrtException {
    OutputDigest right = ort.digest();
    OutputDigest ours = cairn.digest();
    if (!ours.agreesWith(right)) {
      throw new IllegalStateException("the engines computed different outputs: cairn=%s ort=%s".formatted(ours, right));
    }
    return right;
  }

  @Override
  public void close() throws OrtException {
    cairn.close();
    ort.close();
    memory.close();
  }
}
