package dev.cairn.conformance;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.Tensor;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Assertions;

/** Runs one model file by Cairn and by ONNX Runtime, one after the other, and compares what comes out. */
final class SameFile {
  /** The most by which an output may differ, as a part of its range. */
  static final double MOST = 1e-4;

  private SameFile() {}

  /** Asserts that all outputs are the same within {@link #MOST}, and that they are not all alike. */
  static void assertSame(Path model, Map<String, TensorView> inputs) throws OrtException {
    Map<String, TensorView> wanted;
    try (Oracle oracle = Oracle.open(model)) {
      wanted = oracle.run(inputs);
    }
    Map<String, Tensor> given = new LinkedHashMap<>();
    inputs.forEach((name, view) -> given.put(name, Tensor.copyOf(view)));
    try (Session session = Session.open(model, SessionOptions.DEFAULT); Result result = session.run(given)) {
      Assertions.assertEquals(wanted.keySet(), result.names());
      wanted.forEach((name, view) -> {
        RangeError error = RangeError.of(view, result.get(name).view());
        Assertions.assertTrue(error.isTelling(), () -> "outputs say nothing: output=%s %s".formatted(name, error));
        Assertions.assertTrue(error.relative() <= MOST, () -> "too far off: output=%s %s".formatted(name, error));
      });
    } finally {
      given.values().forEach(Tensor::close);
    }
  }
}
