package dev.cairn.runtime.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators of domain com.microsoft equal ONNX Runtime. */
class MicrosoftOperatorsTest {
  private static final int INT8 = ElementTypes.number(DType.INT8);
  private static final int UINT8 = ElementTypes.number(DType.UINT8);
  private static final int INT32 = ElementTypes.number(DType.INT32);

  @TempDir
  private Path folder;

  private final Random random = new Random(4);
  private final List<TensorProto> weights = new ArrayList<>();

  private static NodeProto node(String text, AttributeProto... attributes) {
    return Models.node(text, attributes).toBuilder().setDomain("com.microsoft").build();
  }

  private void floats(String name, double low, double high, long... extents) {
    float[] values = new float[Math.toIntExact(Shape.of(extents).elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(low, high);
    }
    weights.add(withExtents(Models.floats(name, values), extents));
  }

  private static TensorProto withExtents(TensorProto tensor, long... extents) {
    var builder = tensor.toBuilder().clearDims();
    for (long extent : extents) {
      builder.addDims(extent);
    }
    return builder.build();
  }

  /** Weights of 7 bits, so that the oracle's sums saturate on no processor. */
  private void bytes(String name, int type, long... extents) {
    byte[] values = new byte[Math.toIntExact(Shape.of(extents).elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) (type == INT8 ? random.nextInt(-64, 64) : random.nextInt(128));
    }
    weights.add(withExtents(TensorProto.newBuilder().setName(name).setDataType(type).setRawData(ByteString.copyFrom(
      values)).build(), extents));
  }

  private void assertSame(long[] extents, NodeProto... nodes) throws Exception {
    assertNear(1e-4f, extents, nodes);
  }

  private void assertNear(float tolerance, long[] extents, NodeProto... nodes) throws Exception {
    ModelProto.Builder model = Models.model(17, extents, nodes).toBuilder();
    model.addOpsetImport(Models.opset("com.microsoft", 1)).getGraphBuilder().addAllInitializer(weights);
    Path file = Models.save(model.build(), folder);
    weights.clear();
    float[] x = new float[Math.toIntExact(Shape.of(extents).elementCount())];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) random.nextDouble(-2, 3);
    }
    float[] wanted = Models.floats(Oracle.run(file, Map.of("x", TensorView.ofFloats(Shape.of(extents), x))).getFirst());
    try (Session session = Session.open(file, SessionOptions.DEFAULT.withThreads(1));
      Tensor input = Tensor.of(x,
        extents);
      Result result = session.run(Map.of("x", input))) {
      assertTrue(wanted.length > 0);
      assertArrayEquals(wanted, result.get("y").toFloatArray(), tolerance);
    }
  }

  @Test
  void activations() throws Exception {
    long[] x = {3, 5};
    assertSame(x, node("y = Gelu(x)"));
    assertSame(x, node("y = QuickGelu(x)"));
    assertSame(x, node("y = QuickGelu(x)", Models.real("alpha", 1)));
    assertSame(x, node("y = FastGelu(x)"));
    floats("b", -1, 1, 5);
    assertSame(x, node("y = FastGelu(x, b)"));
    floats("b", -1, 1, 5);
    assertSame(x, node("y = BiasGelu(x, b)"));
  }

  @Test
  void products() throws Exception {
    floats("w", -1, 1, 5, 4);
    assertSame(new long[] {2, 3, 5}, node("y = FusedMatMul(x, w)", Models.real("alpha", 0.5f)));
    floats("w", -1, 1, 2, 4, 3);
    assertSame(new long[] {2, 3, 5}, node("y = FusedMatMul(x, w)", Models.integer("transA", 1), Models.integer("transB",
      1)));
  }

  @Test
  void norms() throws Exception {
    long[] x = {2, 3, 8};
    floats("s", -1, 1, 2, 3, 8);
    floats("g", 0.5, 2, 8);
    floats("b", -1, 1, 8);
    floats("c", -1, 1, 8);
    assertSame(x, node("y = SkipLayerNormalization(x, s, g, b, c)", Models.real("epsilon", 1e-5f)));
    floats("s", -1, 1, 2, 3, 8);
    floats("g", 0.5, 2, 8);
    assertSame(x, node("n, , , t = SkipSimplifiedLayerNormalization(x, s, g)", Models.real("epsilon", 1e-5f)), Models
      .node("y = Add(n, t)"));
    floats("g", 0.5, 2, 8);
    assertSame(x, Models.node("y = SimplifiedLayerNormalization(x, g)", Models.integer("axis", -1)));
  }

  @Test
  void embeddings() throws Exception {
    for (String segments : List.of(", , w, p, , g, b", ", t, w, p, s, g, b")) {
      floats("w", -1, 1, 4, 8);
      floats("p", -1, 1, 5, 8);
      floats("s", -1, 1, 2, 8);
      floats("g", 0.5, 2, 8);
      floats("b", -1, 1, 8);
      weights.add(withExtents(TensorProto.newBuilder().setName("ids").setDataType(INT32).addAllInt32Data(List.of(1, 3,
        0, 2, 2, 1)).build(), 2, 3));
      weights.add(withExtents(TensorProto.newBuilder().setName("t").setDataType(INT32).addAllInt32Data(List.of(0, 1, 0,
        1, 1, 0)).build(), 2, 3));
      assertSame(new long[] {1}, node("e, m = EmbedLayerNormalization(ids" + segments + ")", Models.real("epsilon",
        1e-5f)), Models.node("y = Add(e, x)"));
    }
  }

  @Test
  void dynamicProducts() throws Exception {
    for (int type : new int[] {INT8, UINT8}) {
      bytes("w", type, 40, 9);
      bytes("z", type, 9);
      floats("s", 0.01, 0.1, 9);
      floats("b", -1, 1, 9);
      assertSame(new long[] {2, 3, 40}, node("y = DynamicQuantizeMatMul(x, w, s, z, b)"));
      bytes("w", type, 40, 9);
      floats("s", 0.01, 0.1, 1);
      assertSame(new long[] {3, 40}, node("y = DynamicQuantizeMatMul(x, w, s)"));
    }
  }

  /** ONNX Runtime quantizes inputs and states when the model runs; Cairn computes with real numbers. */
  @Test
  void recurrentNetworksWithQuantizedWeights() throws Exception {
    for (int type : new int[] {INT8, UINT8}) {
      for (long scales : new long[] {1, 16}) {
        bytes("w", type, 1, 5, 16);
        bytes("r", type, 1, 4, 16);
        floats("b", -1, 1, 1, 32);
        long[] extents = scales == 1 ? new long[] {1} : new long[] {1, scales};
        floats("s", 0.005, 0.01, extents);
        weights.add(withExtents(TensorProto.newBuilder().setName("z").setDataType(type).setRawData(ByteString.copyFrom(
          new byte[(int) scales])).build(), extents));
        assertNear(0.03f, new long[] {3, 2, 5}, node("y = DynamicQuantizeLSTM(x, w, r, b, , , , , s, z, s, z)", Models
          .integer("hidden_size", 4)));
      }
    }
  }

  @Test
  void quantizedOperators() throws Exception {
    for (String use : List.of("q = QLinearAdd(a, s, z, w, t, u, o, z)", "q = QLinearMul(a, s, z, w, t, u, o, z)",
      "q = QLinearSigmoid(a, s, z, p, z)", "q = QLinearLeakyRelu(a, s, z, o, z)",
      "q = QLinearConcat(o, z, a, s, z, w, t, u)")) {
      floats("s", 0.01, 0.02);
      floats("t", 0.01, 0.02);
      floats("o", 0.03, 0.04);
      floats("p", 0.004, 0.005);
      bytes("z", UINT8);
      bytes("u", UINT8);
      bytes("w", UINT8, 4, 6);
      AttributeProto[] axis = use.contains("Concat")
        ? new AttributeProto[] {Models.integer("axis", 0)}
        : new AttributeProto[0];
      assertSame(new long[] {4, 6}, Models.node("a = QuantizeLinear(x, s, z)"), node(use, axis), Models.node(
        "y = DequantizeLinear(q, o, z)"));
    }
  }

  @Test
  void quantizedGemm() throws Exception {
    for (String result : List.of(", o, z", "")) {
      for (float alpha : new float[] {1, 0.5f}) {
        floats("s", 0.01, 0.02);
        floats("t", 0.01, 0.02, 7);
        floats("o", 0.5, 0.6);
        bytes("z", UINT8);
        bytes("w", INT8, 7, 30);
        bytes("u", INT8, 7);
        weights
          .add(TensorProto.newBuilder().setName("c").setDataType(INT32).addDims(7).addAllInt32Data(List.of(1, -2000,
            300, 4, 5, -600, 7)).build());
        String q = result.isEmpty() ? "y" : "q";
        List<NodeProto> nodes = new ArrayList<>(List.of(Models.node("a = QuantizeLinear(x, s, z)"), node(q
          + " = QGemm(a, s, z, w, t, u, c" + result + ")", Models.integer("transB", 1), Models.real("alpha", alpha))));
        if (!result.isEmpty()) {
          nodes.add(Models.node("y = DequantizeLinear(q, o, z)"));
        }
        assertSame(new long[] {4, 30}, nodes.toArray(NodeProto[]::new));
      }
    }
  }

  @Test
  void weightsOfFewBits() throws Exception {
    for (boolean hasZeros : new boolean[] {true, false}) {
      bytes("w", UINT8, 5, 3, 8);
      floats("s", 0.1, 0.2, 15);
      bytes("z", UINT8, 10);
      assertSame(new long[] {2, 40}, node("y = MatMulNBits(x, w, s" + (hasZeros ? ", z" : "") + ")", Models.integer("K",
        40), Models.integer("N", 5), Models.integer("bits", 4), Models.integer("block_size", 16)));
    }
  }

  @Test
  void rowsOfFewBits() throws Exception {
    for (int bits : new int[] {4, 8}) {
      for (boolean hasZeros : new boolean[] {true, false}) {
        bytes("w", UINT8, 9, 64L * bits / 8);
        floats("s", 0.1, 0.2, 9, 4);
        bytes("z", UINT8, 9, 4L * bits / 8);
        weights.add(TensorProto.newBuilder().setName("i").setDataType(INT32).addDims(2).addDims(3).addAllInt32Data(List
          .of(8, 0, 3, 3, 7, 1)).build());
        assertSame(new long[] {2, 3, 64}, node("g = GatherBlockQuantized(w, i, s" + (hasZeros ? ", z" : "") + ")",
          Models.integer("bits", bits), Models.integer("block_size", 16)), Models.node("y = Add(x, g)"));
      }
    }
  }
}
