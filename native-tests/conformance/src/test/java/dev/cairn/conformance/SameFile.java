package dev.cairn.conformance;

import ai.onnxruntime.OrtException;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assertions;

/** Runs one model file by Cairn and by ONNX Runtime, one after the other, and compares what comes out. */
final class SameFile {
  /** The most by which an output may differ, as a part of its range. */
  static final double MOST = 1e-4;
  /** Like {@link #MOST}, of models that are computed in {@code bfloat16}, whose numbers have 8 significant bits. */
  private static final double MOST_OF_BFLOAT16 = 0.01;

  private SameFile() {}

  /** Like {@link #assertSame(Path, Map, Consumer)}, however it was compiled. */
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
    assertSame(model, inputs, Precision.AS_WRITTEN, compilation);
  }

  /** Like {@link #assertSame(Path, Map, Consumer)}, but Cairn computes in a type of its own. */
  static void assertSame(Path model, Map<String, TensorView> inputs, Precision precision,
    Consumer<CompiledGraph> compilation) throws OrtException {
    double most = precision == Precision.AS_WRITTEN ? MOST : MOST_OF_BFLOAT16;
    Map<String, TensorView> wanted;
    try (Oracle oracle = Oracle.open(model)) {
      wanted = oracle.run(inputs);
    }
    Map<String, Tensor> given = new LinkedHashMap<>();
    inputs.forEach((name, view) -> given.put(name, Tensor.copyOf(view)));
    try (Session session = Session.open(model, SessionOptions.DEFAULT.withCompile(CompileOptions.DEFAULT
      .withPrecision(precision)))) {
      try (Result result = session.run(given)) {
        assertSame(wanted, result, most);
      }
      session.compiled().ifPresent(compilation);
      session.compiled().ifPresent(compiled -> PlannedMemory.assertLittlePadding(compiled.score()));
      assertRunsAgain(session, given, wanted, most);
    } finally {
      given.values().forEach(Tensor::close);
    }
  }

  /** The second run is the same, and takes nothing but its results. */
  private static void assertRunsAgain(Session session, Map<String, Tensor> given, Map<String, TensorView> wanted,
    double most) {
    AllocatorStats before = session.memoryStats();
    AllocatorStats during;
    try (Result result = session.run(given)) {
      during = session.memoryStats();
      assertSame(wanted, result, most);
    }
    PlannedMemory.assertOnlyResults(wanted.size(), before, during, session.memoryStats());
  }

  private static void assertSame(Map<String, TensorView> wanted, Result result, double most) {
    Assertions.assertEquals(wanted.keySet(), result.names());
    wanted.forEach((name, view) -> {
      RangeError error = RangeError.of(view, result.get(name).view());
      Assertions.assertTrue(error.isTelling(), () -> "outputs say nothing: output=%s %s".formatted(name, error));
      Assertions.assertTrue(error.relative() <= most, () -> "too far off: output=%s %s".formatted(name, error));
    });
  }
}
