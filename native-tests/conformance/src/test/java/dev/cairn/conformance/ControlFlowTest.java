package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.OnnxReader;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random programs of branches, loops and scans give ONNX Runtime's bits, with loops unrolled and not. */
class ControlFlowTest {
  private static final int MOST_FAULTS = 5;

  @TempDir
  private Path folder;

  @Test
  void equalOnnxRuntime() throws IOException {
    compare(1, 12);
  }

  @Test
  @Tag("long")
  void moreEqualOnnxRuntime() throws IOException {
    compare(13, 12);
  }

  @Test
  @Tag("soak")
  void manyEqualOnnxRuntime() throws IOException {
    compare(25, 16);
    compare(1_000, 2_000);
  }

  /** Programs whose shapes depend on computed values run in parts. */
  @Test
  void equalOnnxRuntimeOnASimulatedGpu() throws IOException, OrtException {
    compareOnASimulatedGpu(1, 1);
  }

  @Test
  @Tag("long")
  void moreEqualOnnxRuntimeOnASimulatedGpu() throws IOException, OrtException {
    compareOnASimulatedGpu(2, 9);
  }

  @Test
  @Tag("soak")
  void manyEqualOnnxRuntimeOnASimulatedGpu() throws IOException, OrtException {
    compareOnASimulatedGpu(11, 6);
  }

  private void compareOnASimulatedGpu(long first, int count) throws IOException, OrtException {
    DeviceOptions device = SimulatedGpu.device();
    List<String> faults = new ArrayList<>();
    int compared = 0;
    for (long seed = first; seed < first + count; seed++) {
      Path file = folder.resolve("program" + seed + ".onnx");
      Files.write(file, RandomProgram.of(seed).toByteArray());
      Graph graph = OnnxReader.read(file, StandardOperators.table());
      Map<String, TensorView> inputs = inputs(seed);
      try (Oracle oracle = Oracle.open(file)) {
        Map<String, TensorView> wanted = oracle.run(inputs);
        Map<String, TensorView> given = ran(graph, inputs, SessionOptions.DEFAULT.withThreads(1).withDevice(device)
          .withCompile(CompileOptions.DEFAULT.withUnrolling(false)));
        String where = "seed=%d: ".formatted(seed);
        difference(wanted, given).ifPresent(it -> faults.add(where + it));
        compared++;
      }
    }
    assertTrue(faults.isEmpty(), () -> String.join("\n", faults));
    assertEquals(count, compared);
  }

  private void compare(long first, int count) throws IOException {
    List<String> faults = new ArrayList<>();
    int compared = 0;
    for (long seed = first; seed < first + count && faults.size() < MOST_FAULTS; seed++) {
      Path file = folder.resolve("program" + seed + ".onnx");
      Files.write(file, RandomProgram.of(seed).toByteArray());
      for (int run = 0; run < 2; run++) {
        Map<String, TensorView> inputs = inputs(seed * 2 + run);
        try (Oracle oracle = Oracle.open(file)) {
          Map<String, TensorView> wanted = oracle.run(inputs);
          Graph graph = OnnxReader.read(file, StandardOperators.table());
          for (boolean unrolling : new boolean[] {true, false}) {
            Optional<String> difference = difference(wanted, ran(graph, inputs, SessionOptions.DEFAULT.withThreads(1)
              .withCompile(CompileOptions.DEFAULT.withUnrolling(unrolling))));
            String where = "seed=%d run=%d unrolling=%s: ".formatted(seed, run, unrolling);
            difference.ifPresent(it -> faults.add(where + it));
          }
          compared++;
        } catch (OrtException | RuntimeException e) {
          faults.add("seed=%d run=%d: %s".formatted(seed, run, e));
        }
      }
    }
    assertTrue(faults.isEmpty(), () -> String.join("\n", faults));
    assertEquals(2 * count, compared);
  }

  private static Map<String, TensorView> inputs(long seed) {
    var random = new SplittableRandom(seed);
    Map<String, TensorView> inputs = new LinkedHashMap<>();
    inputs.put("x", vector(random, 3));
    inputs.put("y", vector(random, 3));
    inputs.put("m", vector(random, 4, 3));
    inputs.put("n", TensorView.ofLong(random.nextLong(0, 6)));
    inputs.put("flag", new TensorView(TensorType.of(DType.BOOL), MemorySegment.ofArray(new byte[] {(byte) random
      .nextInt(2)})));
    return inputs;
  }

  private static TensorView vector(SplittableRandom random, long... extents) {
    var shape = Shape.of(extents);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(-9, 10);
    }
    return TensorView.ofFloats(shape, values);
  }

  private static Map<String, TensorView> ran(Graph graph, Map<String, TensorView> inputs, SessionOptions options) {
    Map<String, Tensor> given = new LinkedHashMap<>();
    inputs.forEach((name, view) -> given.put(name, Tensor.copyOf(view)));
    Map<String, TensorView> outputs = new LinkedHashMap<>();
    try (Session session = Session.of(graph, options);
      Result result = session.run(given)) {
      graph.outputs().forEach(output -> {
        TensorView view = result.get(output.name()).view();
        outputs.put(output.name(), new TensorView(view.type(), MemorySegment.ofArray(view.segment().toArray(
          ValueLayout.JAVA_BYTE))));
      });
      return outputs;
    } finally {
      given.values().forEach(Tensor::close);
    }
  }

  private static Optional<String> difference(Map<String, TensorView> wanted, Map<String, TensorView> given) {
    for (var output : wanted.entrySet()) {
      TensorView other = given.get(output.getKey());
      if (other == null || !other.type().equals(output.getValue().type())
        || other.segment().mismatch(output.getValue().segment()) >= 0) {
        return Optional.of("output=%s wanted=%s given=%s".formatted(output.getKey(), words(output.getValue()),
          other == null ? "none" : words(other)));
      }
    }
    return Optional.empty();
  }

  private static String words(TensorView view) {
    List<Double> values = new ArrayList<>();
    for (long i = 0; i < view.elementCount(); i++) {
      values.add(view.doubleAt(i));
    }
    return view.type() + " " + values;
  }
}
