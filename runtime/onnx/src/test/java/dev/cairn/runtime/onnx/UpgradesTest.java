package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.floats;
import static dev.cairn.runtime.onnx.Models.integer;
import static dev.cairn.runtime.onnx.Models.ints;
import static dev.cairn.runtime.onnx.Models.node;
import static dev.cairn.runtime.onnx.Models.real;
import static dev.cairn.runtime.onnx.Models.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphText;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.session.InvalidModel;
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

/** Each upgrade: the graph as text, and the values of old file and upgraded file as ONNX Runtime computes them. */
class UpgradesTest {
  private static final long[] EXTENTS = {2, 3, 4};

  @TempDir
  private Path folder;

  @Test
  void squeezeAxes() throws Exception {
    ModelProto model = Models.model(9, new long[] {1, 3, 1, 2}, node("y = Squeeze(x)", ints("axes", 0, 2)));
    assertGraph(model, """
      x = input float32[1x3x1x2]
      squeeze_y/axes = constant int64[2]
      squeeze_y = Squeeze(x, squeeze_y/axes)
      return y=squeeze_y
      """);
    assertSameValues(model, 1, 3, 1, 2);
  }

  @Test
  void squeezeOfAllSingleAxesHasNoAxes() throws Exception {
    ModelProto model = Models.model(11, new long[] {1, 3, 1}, node("y = Squeeze(x)"));
    assertGraph(model, "x = input float32[1x3x1]\nsqueeze_y = Squeeze(x)\nreturn y=squeeze_y\n");
    assertSameValues(model, 1, 3, 1);
  }

  @Test
  void unsqueezeAxes() throws Exception {
    assertSameValues(Models.model(11, EXTENTS, node("y = Unsqueeze(x)", ints("axes", -1, 0))), EXTENTS);
    assertSameValues(Models.model(9, EXTENTS, node("y = Unsqueeze(x)", ints("axes", 1))), EXTENTS);
  }

  @Test
  void reduceAxes() throws Exception {
    for (String operator : List.of("ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL2")) {
      NodeProto some = node("y = " + operator + "(x)", ints("axes", -1, 0), integer("keepdims", 0));
      assertSameValues(Models.model(12, EXTENTS, some), EXTENTS);
      assertSameValues(Models.model(12, EXTENTS, node("y = " + operator + "(x)")), EXTENTS);
    }
    assertSameValues(Models.model(17, EXTENTS, node("y = ReduceMean(x)", ints("axes", 1))), EXTENTS);
  }

  @Test
  void reduceSumHasAxesAsInputFrom13() throws Exception {
    NodeProto sum = node("y = ReduceSum(x, axes)");
    ModelProto model = withWeight(Models.model(13, EXTENTS, sum), Models.longs("axes", 1));
    assertGraph(model, """
      x = input float32[2x3x4]
      axes = constant int64[1]
      reducesum_y = ReduceSum(x, axes)
      return y=reducesum_y
      """);
    assertSameValues(model, EXTENTS);
  }

  @Test
  void splitLengths() throws Exception {
    NodeProto split = node("a, b = Split(x)", ints("split", 1, 3), integer("axis", 2));
    ModelProto model = Models.model(11, EXTENTS, split, node("y = Concat(b, a)", integer("axis", 2)));
    assertSameValues(model, EXTENTS);
    Graph graph = Models.read(model, folder);
    assertTrue(GraphText.of(graph).contains("split_a = Split{axis=2}(x, split_a/split) -> 2"), graph.toString());
  }

  @Test
  void splitIntoEqualPartsCountsThem() throws Exception {
    for (long opset : new long[] {11, 13, 17}) {
      NodeProto split = node("a, b, unread = Split(x)", integer("axis", 1));
      ModelProto model = Models.model(opset, EXTENTS, split, node("y = Sub(b, a)"));
      assertSameValues(model, EXTENTS);
      Graph graph = Models.read(model, folder);
      assertTrue(GraphText.of(graph).contains("Split{axis=1, num_outputs=3}(x) -> 3"), graph.toString());
    }
  }

  @Test
  void padWidthsAndValue() throws Exception {
    NodeProto pad = node("y = Pad(x)", ints("pads", 0, 1, 0, 2, 0, 1), real("value", 2.5f));
    assertSameValues(Models.model(10, EXTENTS, pad), EXTENTS);
    NodeProto edge = node("y = Pad(x)", ints("pads", 0, 1, 0, 0, 0, 1), text("mode", "edge"));
    assertSameValues(Models.model(9, EXTENTS, edge), EXTENTS);
  }

  @Test
  void sliceBounds() throws Exception {
    NodeProto all = node("y = Slice(x)", ints("starts", 0, 1, -3), ints("ends", 2, 1000, -1));
    assertSameValues(Models.model(9, EXTENTS, all), EXTENTS);
    NodeProto some = node("y = Slice(x)", ints("starts", 1), ints("ends", 3), ints("axes", 1));
    assertSameValues(Models.model(9, EXTENTS, some), EXTENTS);
    assertGraph(Models.model(9, EXTENTS, some), """
      x = input float32[2x3x4]
      slice_y/starts = constant int64[1]
      slice_y/ends = constant int64[1]
      slice_y/axes = constant int64[1]
      slice_y = Slice(x, slice_y/starts, slice_y/ends, slice_y/axes)
      return y=slice_y
      """);
  }

  @Test
  void clipBounds() throws Exception {
    assertSameValues(Models.model(10, EXTENTS, node("y = Clip(x)", real("min", -0.5f), real("max", 0.25f))), EXTENTS);
    ModelProto onlyMax = Models.model(9, EXTENTS, node("y = Clip(x)", real("max", 0.25f)));
    assertSameValues(onlyMax, EXTENTS);
    assertGraph(onlyMax, """
      x = input float32[2x3x4]
      clip_y/max = constant float32[scalar]
      clip_y = Clip(x, _, clip_y/max)
      return y=clip_y
      """);
  }

  @Test
  void clipBoundsHaveTheElementTypeOfWhatIsClipped() throws Exception {
    NodeProto cast = node("a = Cast(x)", integer("to", 11));
    NodeProto clip = node("b = Clip(a)", real("max", 0.5f));
    ModelProto model = Models.model(9, EXTENTS, cast, node("r = Sigmoid(a)"), node("a2 = Add(r, a)"),
      node("b = Clip(a2)", real("max", 0.5f)), node("y = Cast(b)", integer("to", 1)));
    Graph graph = Models.read(model, folder);
    assertTrue(graph.toString().contains("clip_b/max = constant float64[scalar]"), graph.toString());
    // ONNX Runtime has no double-precision Clip of the old form: this shows that the new form has one type.
    Path file = folder.resolve("upgraded.onnx");
    OnnxWriter.write(graph, List.of(DeclaredType.of(TensorType.of(DType.FLOAT32, EXTENTS))), file);
    TensorView one = TensorView.ofFloats(Shape.of(EXTENTS), new float[24]);
    assertEquals(0.5f, floats(Oracle.run(file, Map.of("x", one)).get(0))[0]);
    ModelProto half = Models.model(9, EXTENTS, node("a = Cast(x)", integer("to", 10)), clip,
      node("y = Cast(b)", integer("to", 1)));
    assertTrue(Models.read(half, folder).toString().contains("clip_b/max = constant float16[scalar]"));
  }

  @Test
  void dropoutShareAndUnreadMask() throws Exception {
    ModelProto model = Models.model(10, EXTENTS, node("y, mask = Dropout(x)", real("ratio", 0.3f)));
    assertGraph(model, """
      x = input float32[2x3x4]
      dropout_y/ratio = constant float32[scalar]
      dropout_y = Dropout(x, dropout_y/ratio)
      return y=dropout_y
      """);
    assertSameValues(model, EXTENTS);
  }

  @Test
  void softmaxOverAllAxesFromOneOn() throws Exception {
    for (String operator : List.of("Softmax", "LogSoftmax")) {
      assertSameValues(Models.model(9, EXTENTS, node("y = " + operator + "(x)")), EXTENTS);
      assertSameValues(Models.model(12, EXTENTS, node("y = " + operator + "(x)", integer("axis", 0))), EXTENTS);
      assertSameValues(Models.model(12, EXTENTS, node("y = " + operator + "(x)", integer("axis", -2))), EXTENTS);
      assertSameValues(Models.model(12, EXTENTS, node("y = " + operator + "(x)", integer("axis", -1))), EXTENTS);
      assertSameValues(Models.model(13, EXTENTS, node("y = " + operator + "(x)", integer("axis", 1))), EXTENTS);
    }
    assertGraph(Models.model(12, EXTENTS, node("y = Softmax(x)")), """
      x = input float32[2x3x4]
      softmax_y/Flatten = Flatten{axis=1}(x)
      softmax_y/Softmax = Softmax{axis=-1}(softmax_y/Flatten)
      softmax_y/Shape = Shape(x)
      softmax_y = Reshape{allowzero=1}(softmax_y/Softmax, softmax_y/Shape)
      return y=softmax_y
      """);
  }

  @Test
  void softmaxOfAnEmptyTensorIsEmpty() throws Exception {
    for (long[] extents : new long[][] {{0, 3}, {2, 0, 3}, {2, 3, 0}, {0, 0, 4, 0}}) {
      for (int axis = 0; axis <= extents.length; axis++) {
        var model = Models.model(12, extents, node("y = Softmax(x)", integer("axis", axis)));
        Graph graph = Models.read(model, folder);
        try (Session session = Session.of(graph, SessionOptions.DEFAULT);
          Tensor x = Tensor.of(new float[0], extents);
          Result result = session.run(Map.of("x", x))) {
          assertEquals(Shape.of(extents), result.get("y").type().shape());
        }
      }
    }
  }

  @Test
  void batchNormalizationLosesWhatTrainingReads() throws Exception {
    NodeProto norm = node("y, m, v, sm, sv = BatchNormalization(x, s, b, mean, var)", real("epsilon", 1e-3f),
      real("momentum", 0.5f));
    ModelProto.Builder model = Models.model(9, EXTENTS, norm.toBuilder().clearOutput().addOutput("y")
      .build()).toBuilder();
    for (String name : List.of("s", "b", "mean", "var")) {
      model.getGraphBuilder().addInitializer(floats(name, 0.5f, 1, 2));
    }
    assertSameValues(model.build(), EXTENTS);
    Graph graph = Models.read(model.build(), folder);
    assertTrue(graph.toString()
      .contains("batchnormalization_y = BatchNormalization{epsilon=0.001}(x, s, b, mean, var)\n"),
      graph.toString());
    model.getGraphBuilder().setNode(0, norm);
    assertEquals(GraphText.of(graph), GraphText.of(Models.read(model.build(), folder)));
  }

  @Test
  void batchStatisticsAreComputed() throws Exception {
    ModelProto.Builder model = Models.model(15, EXTENTS, node("n, m, v = BatchNormalization(x, s, b, mean, var)",
      integer("training_mode", 1)), node("y = Sigmoid(n)")).toBuilder();
    for (String name : List.of("s", "b", "mean", "var")) {
      model.getGraphBuilder().addInitializer(floats(name, 0.5f, 1, 2));
    }
    assertSameValues(model.build(), EXTENTS);
    model.getGraphBuilder().setNode(1, node("y = Neg(m)"));
    assertSameValues(model.build(), EXTENTS);
    model.getGraphBuilder().setNode(1, node("y = Neg(v)"));
    assertSameValues(model.build(), EXTENTS);
  }

  @Test
  void trainingDropoutIsWrittenWithRandomNumbers() {
    ModelProto.Builder given = Models.model(13, EXTENTS, node("t = Not(f)"), node("y, m = Dropout(x, , t)", integer(
      "seed", 7)), node("z = Cast(m)", integer("to", 1))).toBuilder();
    given.getGraphBuilder().addInitializer(TensorProto.newBuilder().setName("f").setDataType(9).addInt32Data(0));
    String graph = Models.read(given.build(), folder).toString();
    assertTrue(graph.contains("RandomUniformLike{dtype=\"float32\", seed=7.0}(x)"), graph);
    assertTrue(graph.contains("Where(dropout_y/Or, dropout_y/Div, "), graph);
  }

  @Test
  void dropoutThatIsKnownToTrainStaysOneNode() throws IOException {
    ModelProto.Builder given = Models.model(13, EXTENTS, node("y = Dropout(x, , t)")).toBuilder();
    given.getGraphBuilder().addInitializer(TensorProto.newBuilder().setName("t").setDataType(9).addInt32Data(1));
    Graph graph = Models.read(given.build(), folder);
    Path written = folder.resolve("written.onnx");
    OnnxWriter.write(graph, List.of(DeclaredType.of(TensorType.of(DType.FLOAT32, EXTENTS))), written);
    assertEquals(GraphText.of(graph), GraphText.of(OnnxReader.read(written, Models.operators())));
    assertTrue(graph.toString().matches(
      "(?s).*dropout_y = Dropout\\{draw=\\d+, training_mode=1\\}\\(x\\).*"));
  }

  @Test
  void randomTensorsWithoutASeedDrawDifferentNumbers() {
    ModelProto model = Models.model(13, EXTENTS, node("a = RandomNormalLike(x)"), node("b = RandomNormalLike(x)"),
      node("y = Add(a, b)"));
    Graph graph = Models.read(model, folder);
    List<Object> draws = graph.nodes().stream().filter(it -> it.name().startsWith("random"))
      .map(it -> (Object) it.kind().attributes().find("draw").orElseThrow()).distinct().toList();
    assertEquals(2, draws.size(), graph.toString());
  }

  @Test
  void castNamesTheElementType() throws Exception {
    ModelProto model = Models.model(19, EXTENTS, node("i = Cast(x)", integer("to", 6), integer("saturate", 1)),
      node("y = Cast(i)", integer("to", 1)));
    assertGraph(model, """
      x = input float32[2x3x4]
      cast_i = Cast{to="int32"}(x)
      cast_y = Cast{to="float32"}(cast_i)
      return y=cast_y
      """);
    assertSameValues(model, EXTENTS);
    NodeProto noType = node("y = Cast(x)", integer("to", 0));
    assertThrows(InvalidModel.class, () -> Models.read(Models.model(13, EXTENTS, noType), folder));
  }

  @Test
  void namesOfNewConstantsAreFree() {
    ModelProto model = withWeight(Models.model(9, EXTENTS, node("a = Squeeze(x)", ints("axes", 0)),
      node("y = Add(a, squeeze_a/axes)")), floats("squeeze_a/axes", 1));
    assertTrue(Models.read(model, folder).toString().contains("squeeze_a = Squeeze(x, squeeze_a/axes_1)"));
  }

  @Test
  void attributeOfAnotherKindIsAnError() {
    for (AttributeProto wrong : List.of(text("axes", "all"), real("axes", 1), integer("axes", 1))) {
      ModelProto model = Models.model(9, EXTENTS, node("y = Squeeze(x)", wrong));
      var error = assertThrows(InvalidModel.class, () -> Models.read(model, folder));
      Models.assertSays(error, "node=squeeze_y");
    }
  }

  private void assertGraph(ModelProto model, String text) {
    assertEquals(text, GraphText.of(Models.read(model, folder)));
  }

  private static ModelProto withWeight(ModelProto model, TensorProto weight) {
    var changed = model.toBuilder();
    changed.getGraphBuilder().addInitializer(weight);
    return changed.build();
  }

  private void assertSameValues(ModelProto model, long... extents) throws IOException, OrtException {
    Random random = new Random(7);
    float[] values = new float[(int) Shape.of(extents).elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    Map<String, TensorView> inputs = Map.of("x", TensorView.ofFloats(Shape.of(extents), values));
    Path old = Models.save(model, folder);
    TensorView wanted = Oracle.run(old, inputs).get(0);
    Path upgraded = folder.resolve("upgraded.onnx");
    OnnxWriter.write(OnnxReader.read(old, Models.operators()), List.of(DeclaredType.of(wanted.type())), upgraded);
    TensorView given = Oracle.run(upgraded, inputs).get(0);
    assertEquals(wanted.type(), given.type());
    assertEquals(DType.FLOAT32, given.dtype());
    assertArrayEquals(floats(wanted), floats(given), 1e-6f);
  }
}
