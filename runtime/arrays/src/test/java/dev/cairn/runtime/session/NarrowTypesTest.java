package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.expression.Index;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models and arrays with elements of 8-bit floats and of fewer than 8 bits. */
class NarrowTypesTest {
  private static Attributes to(DType dtype) {
    return Attributes.NONE.with("to", new AttributeValue.Text(dtype.toString()));
  }

  /** {@code y} and {@code back}: a narrow weight and a narrow input joined, turned and cut; then as float32. */
  private static Graph moved(DType dtype, TensorView weight) {
    var builder = new GraphBuilder("moved");
    NodeEntry x = builder.input("x", TensorType.of(dtype, 2, 3));
    NodeEntry joined = builder.apply("Concat", Attributes.NONE.with("axis", 0), x, builder.constant("w", weight));
    NodeEntry turned = builder.apply("Transpose", joined);
    NodeEntry cut = builder.apply("Slice", turned, builder.constant("from", TensorView.ofLongs(1)), builder.constant(
      "until", TensorView.ofLongs(3)));
    builder.output("y", cut);
    builder.output("back", builder.apply("Cast", to(DType.FLOAT32), cut));
    return builder.build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fourBitsAreMovedAndCast(boolean simplify) {
    TensorView weight = new TensorView(TensorType.of(DType.INT4, 1, 3), MemorySegment.ofArray(new byte[] {0x21, 0xf}));
    var options = SessionOptions.DEFAULT.withCompile(SessionOptions.DEFAULT.compile().withSimplify(simplify));
    try (Session session = Session.of(moved(DType.INT4, weight), options);
      Tensor x = Tensor.of(new int[] {3, -4, 5, 6, -7, -8}, DType.INT4, 2, 3);
      Result result = session.run(Map.of("x", x))) {
      assertThat(result.get("y").type()).isEqualTo(TensorType.of(DType.INT4, 2, 3));
      assertThat(result.get("y").toIntArray()).containsExactly(-4, -7, 2, 5, -8, -1);
      assertThat(result.get("y").toByteArray()).hasSize(3);
      assertThat(result.get("back").toFloatArray()).containsExactly(-4, -7, 2, 5, -8, -1);
    }
  }

  @Test
  void eightBitFloatsSaturateUnlessTold() {
    var builder = new GraphBuilder("casts");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 4));
    builder.output("most", builder.apply("Cast", to(DType.FLOAT8E5M2), x));
    builder.output("beyond", builder.apply("Cast", to(DType.FLOAT8E5M2).with("saturate", 0), x));
    builder.output("power", builder.apply("Cast", to(DType.FLOAT8E8M0).with("round_mode", new AttributeValue.Text(
      "down")), x));
    try (Session session = Session.of(builder.build(), SessionOptions.DEFAULT);
      Tensor given = Tensor.of(new float[] {1e6f, Float.NaN, 1.2f, Float.POSITIVE_INFINITY}, 4);
      Result result = session.run(Map.of("x", given))) {
      assertThat(result.get("most").toFloatArray()).containsExactly(57344, Float.NaN, 1.25f, 57344);
      assertThat(result.get("beyond").toFloatArray()).containsExactly(Float.POSITIVE_INFINITY, Float.NaN, 1.25f,
        Float.POSITIVE_INFINITY);
      assertThat(result.get("power").toFloatArray()).containsExactly(524288, Float.NaN, 1, 0x1p127f);
    }
  }

  /** {@code x·(2·[1 2; 3 4])}, whose weights are square, so that a wrong axis would fit. */
  @ParameterizedTest
  @ValueSource(strings = {"0,1", "1,0"})
  void weightsOfFewBitsAreTurnedOnlyIfATransposeSwapsTheirAxes(String order) {
    var builder = new GraphBuilder("weights");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    NodeEntry weights = builder.apply("DequantizeLinear", builder.constant("w", new TensorView(TensorType.of(
      DType.UINT4, 2, 2), MemorySegment.ofArray(new byte[] {0x21, 0x43}))), builder.constant("s", TensorView.ofFloats(
        Shape.SCALAR, 2)));
    long[] axes = Arrays.stream(order.split(",")).mapToLong(Long::parseLong).toArray();
    NodeEntry moved = builder.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(axes)), weights);
    builder.output("y", builder.apply("MatMul", x, moved));
    try (Session session = Session.of(builder.build(), SessionOptions.DEFAULT);
      Tensor row = Tensor.of(new float[] {1, 10}, 2);
      Result result = session.run(Map.of("x", row))) {
      float[] wanted = axes[0] == 0 ? new float[] {62, 84} : new float[] {42, 86};
      assertThat(result.get("y").toFloatArray()).containsExactly(wanted);
    }
  }

  @Test
  void operatorsThatComputeRefuseThem() {
    var builder = new GraphBuilder("sum");
    NodeEntry x = builder.input("x", TensorType.of(DType.UINT4, 3));
    builder.output("y", builder.apply("Add", x, x));
    assertThatThrownBy(() -> Session.of(builder.build(), SessionOptions.DEFAULT).run(Map.of("x", Tensor.of(new byte[2],
      DType.UINT4, 3)))).isInstanceOf(InvalidGraph.class).hasMessageContaining(
        "unsupported element type: input=0 dtype=uint4");
  }

  @Test
  void arraysHaveViewsThatStartAtBytes() {
    try (ArrayRuntime runtime = ArrayRuntime.open(ArrayOptions.DEFAULT);
      NDArray x = runtime.full(-3, DType.INT4, 4, 3);
      NDArray even = x.rows(2, 4);
      NDArray odd = x.get("1:2");
      NDArray wide = odd.astype(DType.INT32)) {
      even.fill(5);
      assertThat(even.type()).isEqualTo(TensorType.of(DType.INT4, 2, 3));
      assertThat(wide.toIntArray()).containsExactly(-3, -3, -3);
      assertThat(x.toString()).contains("-3 -3 -3", " 5  5  5");
      assertThatThrownBy(() -> x.rows(1, 2)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
        "start within a byte: array=int4[4x3] first=3 perByte=2");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"INT4", "UINT4", "INT2", "UINT2", "FLOAT4E2M1", "FLOAT8E5M2"})
  void selectionsAreWrittenWhereverTheyBegin(DType dtype) {
    try (ArrayRuntime runtime = ArrayRuntime.open(ArrayOptions.DEFAULT); var _ = runtime.scope()) {
      NDArray x = runtime.zeros(dtype, 3, 3);
      x.set(1, Index.parse("1, :"));
      x.set(runtime.ones(dtype, 2), Index.parse("::-2, 2"));
      assertThat(x.astype(DType.INT32).toIntArray()).containsExactly(0, 0, 1, 1, 1, 1, 0, 0, 1);
    }
  }

  /** 1001 elements of 4 bits take 501 bytes, the result 4004; both are aligned to 64. */
  @Test
  void plansCountSharedBytes() {
    var builder = new GraphBuilder("casts");
    NodeEntry narrow = builder.apply("Cast", to(DType.UINT4), builder.input("x", TensorType.of(DType.FLOAT32, 1001)));
    builder.output("y", builder.apply("Cast", to(DType.FLOAT32), narrow));
    try (CpuDevice device = new CpuDevice(1)) {
      var compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
      Graph graph = builder.build();
      assertThat(compiler.compile(graph, InputBinding.ofShapes(graph, Map.of()), CompileOptions.DEFAULT).plan()
        .peakBytes()).isEqualTo(512 + 4032);
    }
  }
}
