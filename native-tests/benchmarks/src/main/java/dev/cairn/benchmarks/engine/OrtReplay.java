package dev.cairn.benchmarks.engine;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The same graph in ONNX Runtime, with nothing optimised away and no thread but the caller's. */
final class OrtReplay implements AutoCloseable {
  private static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment(
    OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);

  private final OrtSession session;
  private final Map<String, OnnxTensor> inputs;

  OrtReplay(Graph graph) {
    try (var options = new OrtSession.SessionOptions()) {
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.NO_OPT);
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      session = ENVIRONMENT.createSession(bytes(graph), options);
      inputs = Map.of("x", OnnxTensor.createTensor(ENVIRONMENT, new float[] {1}));
    } catch (OrtException e) {
      throw new IllegalStateException("ONNX Runtime refused: graph=" + graph.name(), e);
    }
  }

  private static byte[] bytes(Graph graph) {
    try {
      Path file = Files.createTempFile("cairn-benchmarks", ".onnx");
      try {
        OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
        return Files.readAllBytes(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void run(int times) {
    try {
      for (int i = times; i > 0; i--) {
        session.run(inputs).close();
      }
    } catch (OrtException e) {
      throw new IllegalStateException("ONNX Runtime failed", e);
    }
  }

  @Override
  public void close() {
    try {
      inputs.values().forEach(OnnxTensor::close);
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException("ONNX Runtime failed", e);
    }
  }
}
