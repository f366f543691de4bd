package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.benchmarks.written.ModelClasses;
import dev.cairn.benchmarks.written.WrittenModel;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.parts.PartsPlan;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.ModelFiles;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A small model of each class that people run, with random weights, as exporters write it: its outputs are those of
 * ONNX Runtime, and it is planned unless its shapes depend on computed values.
 */
class ModelClassesTest {
  private static final long SEED = 40;
  private static final int HIDDEN = 32;
  private static final Closeness CLOSE = new Closeness(1e-3, 1e-5);

  @TempDir
  private Path folder;
  private SessionOptions options = SessionOptions.DEFAULT;

  /** Another network for each sample rate, with a state that goes from run to run. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu", "sim"})
  void voiceActivity(String device) throws IOException, OrtException {
    on(device);
    WrittenModel model = ModelClasses.voiceActivity();
    try (Arena arena = Arena.ofShared()) {
      var values = new SeededValues(SEED, arena);
      TensorView sound = values.floats(Shape.of(1, 256), -1, 1);
      TensorView before = values.floats(Shape.of(2, 1, HIDDEN), -1, 1);
      for (long hertz : new long[] {16_000, 8_000}) {
        assertSame(model, Map.of("samples", sound, "state", before, "rate", TensorView.ofLong(hertz)), true);
      }
    }
  }

  /** Features of two sizes, joined at the larger one: by Resize to a size that shapes give, and by ConvTranspose. */
  @Test
  void textDetection() throws IOException, OrtException {
    WrittenModel model = ModelClasses.textDetection(-1, -1);
    try (Arena arena = Arena.ofShared()) {
      var values = new SeededValues(SEED + 1, arena);
      assertSame(model, Map.of("image", values.floats(Shape.of(1, 3, 32, 48), -1, 1)), true);
    }
  }

  /** A line of text: convolutions, then a recurrent network in both directions over the columns. */
  @Test
  void textRecognition() throws IOException, OrtException {
    WrittenModel model = ModelClasses.textRecognition();
    try (Arena arena = Arena.ofShared()) {
      assertSame(model, Map.of("image", new SeededValues(SEED + 2, arena).floats(Shape.of(2, 1, 8, 40), -1, 1)), true);
    }
  }

  /** Boxes that survive are as many as the values say. */
  @Test
  void objectDetection() throws IOException, OrtException {
    WrittenModel model = ModelClasses.objectDetection();
    try (Arena arena = Arena.ofShared()) {
      assertSame(model, Map.of("image", new SeededValues(SEED + 3, arena).floats(Shape.of(1, 3, 16, 16), -1, 1)),
        false);
    }
    try (ModelCompiler compiler = ModelCompiler.open(options)) {
      Graph graph = ModelFiles.read(folder.resolve("model.onnx"));
      PartsPlan plan = compiler.parts(graph, Map.of("image", TensorType.of(DType.FLOAT32, 1, 3, 16, 16)), options
        .compile());
      assertTrue(plan.plannedShare().orElseThrow() >= 0.95, () -> plan.plannedShare() + " " + plan);
      plan.planned().forEach(it -> assertTrue(it.graph().score().ratio() <= 1.01, () -> it.graph().score().toString()));
    }
  }

  /** The front of a speech encoder: spectra of overlapping frames, their logarithm, and convolutions over time. */
  @Test
  void speech() throws IOException, OrtException {
    WrittenModel model = ModelClasses.speech();
    try (Arena arena = Arena.ofShared()) {
      assertSame(model, Map.of("sound", new SeededValues(SEED + 4, arena).floats(Shape.of(1, 800), -1, 1)), true);
    }
  }

  /** Words, one quantised layer whose operand two products share, and the mean over the words. */
  @Test
  void quantizedEmbedding() throws IOException, OrtException {
    WrittenModel model = ModelClasses.quantizedEmbedding();
    try (Arena arena = Arena.ofShared()) {
      assertSame(model, Map.of("words", new SeededValues(SEED + 5, arena).longs(Shape.of(1, 12), 50)), true);
    }
  }

  /** A step of a diffusion model: Resize, ConvTranspose and attention in a UNet. */
  @Test
  void diffusion() throws IOException, OrtException {
    WrittenModel model = ModelClasses.diffusion(16);
    try (Arena arena = Arena.ofShared()) {
      TensorView sample = new SeededValues(SEED + 7, arena).floats(Shape.of(1, 4, 16, 16), -1, 1);
      assertSame(model, Map.of("sample", sample, "step", TensorView.ofFloats(Shape.of(1), 37)), true);
    }
  }

  /** Words one after the other, each from the one before. */
  @Test
  void greedyDecoder() throws IOException, OrtException {
    WrittenModel model = ModelClasses.greedyDecoder();
    try (Arena arena = Arena.ofShared()) {
      TensorView first = new SeededValues(SEED + 6, arena).floats(Shape.of(1, HIDDEN), -1, 1);
      assertSame(model, Map.of("hidden", first, "length", TensorView.ofLong(7)), true);
    }
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicTest> onASimulatedGpu() {
    Map<String, Executable> models = Map.of("textDetection", this::textDetection, "textRecognition",
      this::textRecognition, "speech", this::speech, "quantizedEmbedding", this::quantizedEmbedding, "diffusion",
      this::diffusion, "greedyDecoder", this::greedyDecoder);
    return models.entrySet().stream().map(it -> DynamicTest.dynamicTest(it.getKey(), () -> {
      on("sim");
      it.getValue().execute();
    }));
  }

  /** @param device the processor, or CUDA on the processor, which has no kernels for values that decide shapes */
  private void on(String device) {
    options = device.equals("sim") ? options.withDevice(SimulatedGpu.device()) : options;
  }

  private void assertSame(WrittenModel model, Map<String, TensorView> inputs, boolean planned) throws IOException,
    OrtException {
    Path file = Files.write(folder.resolve("model.onnx"), model.file());
    Map<String, TensorView> wanted;
    try (Oracle oracle = Oracle.open(file)) {
      wanted = oracle.run(inputs);
    }
    Map<String, Tensor> given = new LinkedHashMap<>();
    inputs.forEach((name, view) -> given.put(name, Tensor.copyOf(view)));
    try (Session session = Session.open(file, options)) {
      for (int run = 0; run < 2; run++) {
        try (Result result = session.run(given)) {
          wanted.forEach((name, view) -> assertEquals(Optional.empty(), CLOSE.difference(view,
            result.get(name).view()), name));
        }
      }
      assertEquals(planned, session.compiled().isPresent(), () -> session.unplannedReason().orElse(""));
      session.compiled().ifPresent(it -> assertTrue(it.score().peakBytes() <= 1.01 * it.score().boundBytes()));
    } finally {
      given.values().forEach(Tensor::close);
    }
  }
}
