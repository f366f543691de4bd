package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.integer;
import static dev.cairn.runtime.onnx.Models.node;
import static dev.cairn.runtime.onnx.Models.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators in the form of their first opsets, and those that are written with others, equal ONNX Runtime. */
class OldAndExpandedOperatorsTest {
  private static final long[] IMAGE = {1, 2, 3, 4};

  @TempDir
  private Path folder;

  @Test
  void upsampleWithScalesOfEitherForm() throws Exception {
    for (String mode : List.of("nearest", "linear")) {
      assertSame(Models.model(7, IMAGE, node("y = Upsample(x)", text("mode", mode), scales(1, 1, 2, 3))), IMAGE);
      assertSame(withWeights(Models.model(9, IMAGE, node("y = Upsample(x, s)", text("mode", mode))), Models.floats("s",
        1, 1, 2, 3)), IMAGE);
    }
  }

  @Test
  void resizeOfOpset10() throws Exception {
    for (float scale : new float[] {2, 1.5f, 0.5f}) {
      assertSame(withWeights(Models.model(10, IMAGE, node("y = Resize(x, s)")), Models.floats("s", 1, 1, scale, scale)),
        IMAGE);
    }
  }

  @Test
  void scaleAndBiasOfGroups() throws Exception {
    assertSame(withWeights(Models.model(18, new long[] {1, 4, 2, 2}, node("y = GroupNormalization(x, s, b)", integer(
      "num_groups", 2))), Models.floats("s", 1, 2), Models.floats("b", -1, 1)), 1, 4, 2, 2);
  }

  @Test
  void meansAndDeviations() throws Exception {
    assertSame(Models.model(13, IMAGE, node("y = MeanVarianceNormalization(x)")), IMAGE);
    assertSame(Models.model(13, IMAGE, node("y = MeanVarianceNormalization(x)", Models.ints("axes", 1, 3))), IMAGE);
  }

  @Test
  void scatterUnderItsFirstName() throws Exception {
    assertSame(withWeights(Models.model(9, new long[] {4}, node("y = Scatter(x, i, u)")), Models.longs("i", 3, 0),
      Models.floats("u", 7, 8)), 4);
  }

  @Test
  void formsFromBeforeOpset9() throws Exception {
    assertSame(withWeights(Models.model(7, new long[] {2, 3}, node("a = Greater(x, w)"), node("b = And(a, a)"), node(
      "c = Not(b)"), node("y = Cast(c)", integer("to", 1))), Models.floats("w", 0.5f)), 2, 3);
    assertSame(Models.model(6, new long[] {2, 3}, node("a = Relu(x)"), node("y = Transpose(a)")), 2, 3);
  }

  @Test
  void formsThatChangedLater() throws Exception {
    assertSame(Models.model(12, IMAGE, node("y = Hardmax(x)")), IMAGE);
    assertSame(Models.model(9, IMAGE, node("y, i = TopK(x)", integer("k", 2))), IMAGE);
    assertSame(Models.model(9, new long[] {3, 4}, node("a = EyeLike(x)", integer("dtype", 6), integer("k", 1)), node(
      "y = Cast(a)", integer("to", 1))), 3, 4);
  }

  @Test
  void regionsOfOpset10AreNotMoved() throws Exception {
    ModelProto model = withWeights(Models.model(10, IMAGE, node("y = RoiAlign(x, r, i)", integer("sampling_ratio", 2))),
      Models.floats("r", 0.5f, 0.5f, 2, 2).toBuilder().clearDims().addDims(1).addDims(4).build(), Models.longs("i", 0));
    assertSame(model, IMAGE);
  }

  @Test
  void windowsOfSignals() throws Exception {
    for (String window : List.of("HannWindow", "HammingWindow", "BlackmanWindow")) {
      for (long periodic : new long[] {0, 1}) {
        assertSame(withWeights(Models.model(17, new long[] {5}, node("w = " + window + "(n)", integer("periodic",
          periodic)), node("y = Add(w, x)")), Models.longs("n", 5).toBuilder().clearDims().build()), 5);
      }
    }
  }

  @Test
  void productsOfTwoOperandsAreNoLoopsOverAllIndexes() throws Exception {
    for (String equation : List.of("ab,bc->ac", "ab,bc->ca", "ab,ab->a", "ab,ab->", "ab,bc", "ab,cb->abc", "ab,ba->ba",
      "ab,cd")) {
      ModelProto model = einsum(equation);
      assertSame(model, 2, 2);
      try (Session session = Session.open(Models.save(model, folder), SessionOptions.DEFAULT)) {
        assertTrue(session.compiled().orElseThrow().storage().steps().stream().noneMatch(it -> it.operator().equals(
          "Einsum")), equation);
      }
    }
    ModelProto diagonal = Models.model(13, new long[] {2, 2}, node("y = Einsum(x)", text("equation", "aa->a")));
    assertSame(diagonal, 2, 2);
  }

  private static ModelProto einsum(String equation) {
    return withWeights(Models.model(13, new long[] {2, 2}, node("y = Einsum(x, w)", text("equation", equation))), Models
      .floats("w", 1, -2, 3, 4).toBuilder().clearDims().addDims(2).addDims(2).build());
  }

  private static AttributeProto scales(float... values) {
    var attribute = AttributeProto.newBuilder().setName("scales").setType(AttributeProto.AttributeType.FLOATS);
    for (float value : values) {
      attribute.addFloats(value);
    }
    return attribute.build();
  }

  private static ModelProto withWeights(ModelProto model, TensorProto... weights) {
    var changed = model.toBuilder();
    changed.getGraphBuilder().addAllInitializer(List.of(weights));
    return changed.build();
  }

  private void assertSame(ModelProto model, long... extents) throws IOException, OrtException {
    Random random = new Random(11);
    float[] values = new float[(int) Shape.of(extents).elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    Path file = Models.save(model, folder);
    TensorView wanted = Oracle.run(file, Map.of("x", TensorView.ofFloats(Shape.of(extents), values))).get(0);
    try (Session session = Session.of(OnnxReader.read(file, StandardOperators.table()), SessionOptions.DEFAULT);
      Tensor x = Tensor.of(values, extents);
      Result result = session.run(Map.of("x", x))) {
      assertEquals(wanted.shape(), result.get("y").shape());
      assertArrayEquals(Models.floats(wanted), result.get("y").toFloatArray(), 1e-5f);
    }
  }
}
