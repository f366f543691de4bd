package dev.cairn.runtime.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.quantize.QuantizedPasses;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Quantised models compute the same with fused operators as with those that they are written with. */
class QuantizedModelTest {
  private static final int ROWS = 11;
  private static final int WIDTH = 70;
  private static final int COLUMNS = 45;
  private static final SessionOptions FUSED = SessionOptions.DEFAULT.withThreads(2);
  private static final SessionOptions WRITTEN = FUSED.withCompile(CompileOptions.DEFAULT.withQuantized(
    QuantizedPasses.NONE));

  private final SplittableRandom random = new SplittableRandom(21);
  private final GraphBuilder model = new GraphBuilder("quantized");

  private NodeEntry bytes(String name, DType dtype, long... extents) {
    byte[] values = new byte[Math.toIntExact(Shape.of(extents).elementCount())];
    random.nextBytes(values);
    return model.constant(name, new TensorView(TensorType.of(dtype, extents), MemorySegment.ofArray(values)));
  }

  private NodeEntry floats(String name, double low, double high, long... extents) {
    float[] values = new float[Math.toIntExact(Shape.of(extents).elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(low, high);
    }
    return model.constant(name, TensorView.ofFloats(Shape.of(extents), values));
  }

  private float[] run(Graph graph, SessionOptions options, List<String> operators, long... extents) {
    var values = new SplittableRandom(5);
    float[] x = new float[Math.toIntExact(Shape.of(extents).elementCount())];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) values.nextDouble(-2, 3);
    }
    try (Session session = Session.of(graph, options);
      Tensor input = Tensor.of(x, extents);
      Result result = session.run(Map.of("x", input))) {
      assertThat(session.compiled().orElseThrow().storage().steps().stream().map(it -> it.operator()).toList())
        .containsAll(operators);
      return result.get("y").toFloatArray();
    }
  }

  @Test
  void productsOfWhatIsQuantizedWhenTheModelRunsHaveTheSameBits() {
    NodeEntry x = model.input("x", TensorType.of(DType.FLOAT32, ROWS, WIDTH));
    List<NodeEntry> quantized = model.applyForAll("DynamicQuantizeLinear", Attributes.NONE, 3, x);
    NodeEntry zero = bytes("zero", DType.UINT8, COLUMNS);
    NodeEntry product = model.apply("MatMulInteger", quantized.get(0), bytes("w", DType.UINT8, WIDTH, COLUMNS),
      quantized.get(2), zero);
    NodeEntry cast = model.apply("Cast", Attributes.NONE.with("to", new AttributeValue.Text("float32")), product);
    NodeEntry scale = model.apply("Mul", quantized.get(1), floats("scales", 0.01, 0.1, COLUMNS));
    model.output("y", model.apply("Add", model.apply("Mul", cast, scale), floats("bias", -1, 1, COLUMNS)));
    Graph graph = model.build();
    assertThat(run(graph, FUSED, List.of("DynamicQuantizeLinear", "MatMulIntegerToFloat"), ROWS, WIDTH)).isEqualTo(run(
      graph, WRITTEN, List.of("MatMulInteger"), ROWS, WIDTH));
  }

  @ParameterizedTest
  @CsvSource({"UINT8, INT8", "INT8, UINT8"})
  void functionsOfOneQuantizedTensorAreTablesWithTheSameBits(DType from, DType to) {
    NodeEntry x = model.input("x", TensorType.of(DType.FLOAT32, ROWS, WIDTH));
    NodeEntry scale = floats("scale", 0.02, 0.03);
    NodeEntry zero = bytes("zero", from);
    NodeEntry wide = floats("wide", 0.01, 0.02);
    NodeEntry middle = bytes("middle", to);
    NodeEntry real = model.apply("DequantizeLinear", model.apply("QuantizeLinear", x, scale, zero), scale, zero);
    NodeEntry silu = model.apply("Mul", real, model.apply("Sigmoid", real));
    model.output("y", model.apply("DequantizeLinear", model.apply("QuantizeLinear", silu, wide, middle), wide, middle));
    Graph graph = model.build();
    assertThat(run(graph, FUSED, List.of("QuantizeLinear", "ByteTable", "DequantizeLinear"), ROWS, WIDTH))
      .isEqualTo(run(
        graph, WRITTEN, List.of("QuantizeLinear", "DequantizeLinear"), ROWS, WIDTH));
    try (Session session = Session.of(graph, FUSED)) {
      assertThat(session.compiled().orElseThrow().storage().steps()).hasSize(3);
    }
  }

  @Test
  void aConvolutionBetweenQuantizedTensorsDiffersByOneUnitAtMost() {
    NodeEntry x = model.input("x", TensorType.of(DType.FLOAT32, 1, 6, 15, 13));
    NodeEntry scale = floats("scale", 0.02, 0.03);
    NodeEntry zero = bytes("zero", DType.UINT8);
    NodeEntry result = floats("resultScale", 4, 5);
    NodeEntry weights = model.apply("DequantizeLinear", Attributes.NONE.with("axis", 0), bytes("w", DType.INT8, 16, 6,
      3, 3), floats("scales", 0.01, 0.1, 16));
    NodeEntry image = model.apply("DequantizeLinear", model.apply("QuantizeLinear", x, scale, zero), scale, zero);
    NodeEntry product = model.apply("Conv", Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1)), image,
      weights);
    NodeEntry quantized = model.apply("QuantizeLinear", model.apply("Relu", product), result);
    model.output("y", model.apply("DequantizeLinear", quantized, result));
    Graph graph = model.build();
    float[] fused = run(graph, FUSED, List.of("QuantizeLinear", "QLinearConv", "DequantizeLinear"), 1, 6, 15, 13);
    float[] written = run(graph, WRITTEN, List.of("DequantizeLinear"), 1, 6, 15, 13);
    int different = 0;
    for (int i = 0; i < fused.length; i++) {
      different += fused[i] == written[i] ? 0 : 1;
      assertThat(fused[i]).isBetween(written[i] - 5, written[i] + 5);
    }
    assertThat(different).isLessThanOrEqualTo(fused.length / 1000);
    assertThat(fused).contains(0f);
  }

  /** Constant weights of few bits, by blocks of the depth or with one scale for each column. */
  @ParameterizedTest
  @CsvSource({"INT4, 0, 32, true, false", "UINT4, 0, 16, false, false", "INT8, 0, 64, true, false",
    "INT4, 1, 32, true, true", "UINT2, 0, 32, true, false", "INT4, 1, 0, false, false", "UINT4, 0, 0, true, true"})
  void weightsOfFewBitsStayAsTheyAre(DType dtype, int axis, int block, boolean hasZeros, boolean isTurned) {
    long[] extents = isTurned ? new long[] {COLUMNS, WIDTH} : new long[] {WIDTH, COLUMNS};
    Shape scales = block == 0
      ? Shape.of(extents[axis])
      : Shape.of(extents).with(axis, Math.ceilDiv(extents[axis], block));
    Attributes attributes = Attributes.NONE.with("axis", axis);
    NodeEntry weights = packed("w", dtype, Shape.of(extents));
    NodeEntry scale = floats("scales", 0.01, 0.1, scales.extents());
    NodeEntry real = hasZeros
      ? model.apply("DequantizeLinear", attributes.with("block_size", block), weights, scale, packed("zeros", dtype,
        scales))
      : model.apply("DequantizeLinear", attributes.with("block_size", block), weights, scale);
    NodeEntry x = model.input("x", TensorType.of(DType.FLOAT32, ROWS, WIDTH));
    model.output("y", isTurned
      ? model.apply("Gemm", Attributes.NONE.with("transB", 1), x, real, floats("bias", -1, 1, COLUMNS))
      : model.apply("MatMul", x, real));
    Graph graph = model.build();
    float[] fused = run(graph, FUSED, List.of("MatMulNBits"), ROWS, WIDTH);
    float[] written = run(graph, WRITTEN, List.of(isTurned ? "Gemm" : "MatMul"), ROWS, WIDTH);
    for (int i = 0; i < fused.length; i++) {
      assertThat(fused[i]).isCloseTo(written[i], within(1e-4f));
    }
  }

  private NodeEntry packed(String name, DType dtype, Shape shape) {
    byte[] values = new byte[Math.toIntExact(dtype.bytes(shape.elementCount()))];
    random.nextBytes(values);
    return model.constant(name, new TensorView(new TensorType(dtype, shape), MemorySegment.ofArray(values)));
  }

  /** Weights that another node reads, too, or with scales for blocks of columns, are dequantised. */
  @Test
  void otherWeightsBecomeRealNumbers() {
    NodeEntry x = model.input("x", TensorType.of(DType.FLOAT32, ROWS, WIDTH));
    NodeEntry shared = model.apply("DequantizeLinear", Attributes.NONE.with("axis", 1),
      packed("w", DType.INT4, Shape.of(
        WIDTH, COLUMNS)),
      floats("scales", 0.01, 0.1, COLUMNS));
    NodeEntry blocks = model.apply("DequantizeLinear", Attributes.NONE.with("axis", 1).with("block_size", 15), packed(
      "v", DType.INT4, Shape.of(WIDTH, COLUMNS)), floats("others", 0.01, 0.1, WIDTH, 3));
    NodeEntry sum = model.apply("Add", model.apply("MatMul", x, shared), model.apply("MatMul", x, blocks));
    model.output("y", model.apply("Add", sum, model.apply("ReduceSum", Attributes.NONE.with("keepdims", 0), shared)));
    assertThat(run(model.build(), FUSED, List.of("MatMul"), ROWS, WIDTH)).hasSize(ROWS * COLUMNS);
  }
}
