package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Conversions to narrow types and back equal ONNX Runtime's. Its Java interface has no such tensors, so that each model
 * converts both ways.
 */
class NarrowCastsTest {
  private static final int COUNT = 4001;
  private static final Closeness EXACT = new Closeness(0, 0);
  private static final PlannedRun RUNNER = new PlannedRun();
  private static final PlannedRun.Setting SETTING = PlannedRun.Setting.of(PlannerChoice.BEST_FIT, true);

  @TempDir
  private Path folder;

  @AfterAll
  static void close() {
    RUNNER.close();
  }

  private static Attributes to(DType dtype) {
    return Attributes.NONE.with("to", new AttributeValue.Text(dtype.toString()));
  }

  /** Numbers of every size, some of them in the middle between two narrow ones. */
  private static TensorView numbers(double mostExponent) {
    var random = new SplittableRandom(3);
    float[] values = new float[COUNT];
    for (int i = 0; i < COUNT; i++) {
      double size = Math.pow(2, random.nextDouble(-20, mostExponent));
      double rounded = random.nextBoolean()
        ? size
        : Math.scalb(Math.rint(Math.scalb(size, 4 - Math.getExponent(size))),
          Math.getExponent(size) - 4);
      values[i] = (float) (random.nextBoolean() ? rounded : -rounded);
    }
    return TensorView.ofFloats(Shape.of(COUNT), values);
  }

  private void compare(Graph graph, TensorView x) throws IOException, OrtException {
    Path file = folder.resolve("model.onnx");
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
    TensorView wanted;
    try (Oracle oracle = Oracle.open(file)) {
      wanted = oracle.run(Map.of("x", x)).values().iterator().next();
    }
    TensorView given = RUNNER.run(RUNNER.compile(graph, Map.of("x", x), SETTING), Map.of("x", x)).getFirst();
    Optional<String> difference = EXACT.difference(wanted, given);
    assertTrue(difference.isEmpty(), () -> difference.orElse("") + "\n" + graph);
  }

  @ParameterizedTest
  @CsvSource({"FLOAT8E4M3FN, true", "FLOAT8E4M3FN, false", "FLOAT8E4M3FNUZ, true", "FLOAT8E4M3FNUZ, false",
    "FLOAT8E5M2, true", "FLOAT8E5M2, false", "FLOAT8E5M2FNUZ, true", "FLOAT8E5M2FNUZ, false"})
  void castsOfEightBitFloats(DType dtype, boolean saturates) throws IOException, OrtException {
    var builder = new GraphBuilder("casts");
    Attributes narrow = saturates ? to(dtype) : to(dtype).with("saturate", 0);
    NodeEntry cast = builder.apply("Cast", narrow, builder.input("x", TensorType.of(DType.FLOAT32, COUNT)));
    builder.output("y", builder.apply("Cast", to(DType.FLOAT32), cast));
    // Just beyond the largest number, where the standard has NaN and infinity, ONNX Runtime 1.29 has the largest number
    // and NaN for the two types with a negative zero.
    boolean isOracleRight = saturates || dtype.name().endsWith("UZ");
    compare(builder.build(), numbers(isOracleRight ? 18 : 7.5));
  }

  @ParameterizedTest
  @CsvSource({"INT4", "UINT4"})
  void castsOfFourBits(DType dtype) throws IOException, OrtException {
    var builder = new GraphBuilder("casts");
    NodeEntry x = builder.input("x", TensorType.of(DType.INT32, COUNT));
    builder.output("y", builder.apply("Cast", to(DType.INT32), builder.apply("Cast", to(dtype), x)));
    int[] values = new SplittableRandom(4).ints(COUNT, 0, 8).toArray();
    compare(builder.build(), new TensorView(TensorType.of(DType.INT32, COUNT), MemorySegment.ofArray(values)));
  }

  @ParameterizedTest
  @CsvSource({"INT4, true", "UINT4, true", "INT4, false", "FLOAT8E4M3FN, false", "FLOAT8E5M2, false"})
  void quantizedAndBack(DType dtype, boolean hasZero) throws IOException, OrtException {
    var builder = new GraphBuilder("quantized");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, COUNT));
    NodeEntry scale = builder.constant("scale", TensorView.ofFloats(Shape.SCALAR, 0.25f));
    byte[] bits = {(byte) (hasZero ? 3 : 0)};
    NodeEntry zero = builder.constant("zero", new TensorView(TensorType.of(dtype), MemorySegment.ofArray(bits)));
    NodeEntry quantized = builder.apply("QuantizeLinear", x, scale, zero);
    builder.output("y", builder.apply("DequantizeLinear", quantized, scale, zero));
    compare(builder.build(), numbers(10));
  }
}
