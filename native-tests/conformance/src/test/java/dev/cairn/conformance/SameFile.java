package dev.cairn.conformance;

import ai.onnxruntime.OrtException;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.Tensor;
import dev.cairn.runtime.compile.CompiledGraph;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assertions;

/** Runs one model file by Cairn and by ONNX Runtime, one after the other, and compares what comes out. */
final class SameFile {
  /** The most by which an output may differ, as a part of its range. */
  static final double MOST = 1e-4;

  private SameFile() {}

  /** As {@link #assertSame(Path, Map, Consumer)}, however it was compiled. */
  static void assertSame(Path model, Map<String, TensorView> inputs) throws OrtException {
    assertSame(model, inputs, _ -> {});
  }

  /**
   * Asserts that all outputs are the same within {@link #MOST}, that they are not all alike, and that a further run
   * takes no memory but its results'.
   *
   * @param compilation looks at how the model was compiled
   */
  static void assertSame(Path model, Map<String, TensorView> inputs, Consumer<CompiledGraph> compilation)
    throws OrtException {
    Map<String, TensorView> wanted;
    try (Oracle oracle = Oracle.open(model)) {
      wanted = oracle.run(inputs);
    }
    Map<String, Tensor> given = new LinkedHashMap<>();
    inputs.forEach((name, view) -> given.put(name, Tensor.copyOf(view)));
    try (Session session = Session.open(model, SessionOptions.DEFAULT)) {
      try (Result result = session.run(given)) {
        assertSame(wanted, result);
      }
      session.compiled().ifPresent(compilation);
      session.compiled().ifPresent(compiled -> PlannedMemory.assertLittlePadding(compiled.score()));
      assertRunsAgain(session, given, wanted);
    } finally {
      given.values().forEach(Tensor::close);
    }
  }

  /** The second run is the same, and takes nothing but its results. */
  private static void assertRunsAgain(Session session, Map<String, Tensor> given, Map<String, TensorView> wanted) {
    AllocatorStats before = session.memoryStats();
    AllocatorStats during;
    try (Result result = session.run(given)) {
      during = session.memoryStats();
      assertSame(wanted, result);
    }
    PlannedMemory.assertOnlyResults(wanted.size(), before, during, session.memoryStats());
  }

  private static void assertSame(Map<String, TensorView> wanted, Result result) {
    Assertions.assertEquals(wanted.keySet(), result.names());
    wanted.forEach((name, view) -> {
      RangeError error = RangeError.of(view, result.get(name).view());
      Assertions.assertTrue(error.isTelling(), () -> "outputs say nothing: output=%s %s".formatted(name, error));
      Assertions.assertTrue(error.relative() <= MOST, () -> "too far off: output=%s %s".formatted(name, error));
    });
  }
}
