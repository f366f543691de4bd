package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.assertSays;
import static dev.cairn.runtime.onnx.Models.floats;
import static dev.cairn.runtime.onnx.Models.integer;
import static dev.cairn.runtime.onnx.Models.ints;
import static dev.cairn.runtime.onnx.Models.longs;
import static dev.cairn.runtime.onnx.Models.node;
import static dev.cairn.runtime.onnx.Models.real;
import static dev.cairn.runtime.onnx.Models.tensor;
import static dev.cairn.runtime.onnx.Models.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.session.InvalidModel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a file's values, nodes, inputs, attributes and constants come into the graph. */
class GraphsTest {
  @TempDir
  private Path folder;

  @Test
  void initializersThatAreInputsAreConstantsWhichMayBeGivenOtherValuesSinceIrVersion4() {
    for (int irVersion : new int[] {3, 8}) {
      var model = Models.model(13).setIrVersion(irVersion);
      model.setGraph(Models.graph(node("y = Add(x, w)"))
        .addInput(Models.value("w", DType.FLOAT32, 2))
        .addInput(Models.value("x", DType.FLOAT32, 2))
        .addInitializer(floats("w", 1, 2)));
      assertGraph(model.build(), """
        x = input float32[2]
        w = constant float32[2]%s
        add_y = Add(x, w)
        return y=add_y
        """.formatted(irVersion < 4 ? "" : " # optional-input=true"));
    }
  }

  @Test
  void openExtentsAreSymbols() {
    ValueInfoProto.Builder x = Models.value("x", DType.INT64, 1, 2, 3, 0).toBuilder();
    var shape = x.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder();
    shape.getDimBuilder(0).setDimParam("batch");
    shape.getDimBuilder(1).clearDimValue();
    shape.getDimBuilder(2).setDimValue(-1);
    shape.addDimBuilder().setDimParam("x_dim1");
    var model = Models.model(13).setGraph(Models.graph(node("y = Relu(x)")).addInput(x));
    assertGraph(model.build(), """
      x = input int64[batch x x_dim1_1 x x_dim2 x 0 x x_dim1]
      relu_y = Relu(x)
      return y=relu_y
      """);
  }

  @Test
  void aRankMayStayOpenButATypeMustBeDeclared() {
    ValueInfoProto.Builder x = Models.value("x", DType.FLOAT32).toBuilder();
    x.getTypeBuilder().getTensorTypeBuilder().clearShape();
    var model = Models.model(13).setGraph(Models.graph(node("y = Relu(x)")).addInput(x));
    assertGraph(model.build(), """
      x = input float32[...]
      relu_y = Relu(x)
      return y=relu_y
      """);
    x.clearType();
    model.setGraph(Models.graph(node("y = Relu(x)")).addInput(x));
    assertSays(assertThrows(InvalidModel.class, () -> Models.read(model.build(), folder)), "no type: input=x");
  }

  @Test
  void nodesWithoutNamesAreCalledAfterTheirResultAndAllNamesDiffer() {
    NodeProto unnamed = node("h = Relu(x)").toBuilder().clearName().build();
    NodeProto sameAsInput = node("i = Neg(h)").toBuilder().setName("x").build();
    NodeProto sameAgain = node("y = Abs(i)").toBuilder().setName("x").build();
    assertGraph(Models.model(13, new long[] {2}, unnamed, sameAsInput, sameAgain), """
      x = input float32[2]
      h = Relu(x)
      x_1 = Neg(h)
      x_2 = Abs(x_1)
      return y=x_2
      """);
  }

  @Test
  void inputsLeftOutAreAbsentAndThoseAtTheEndAreGone() {
    var model = Models.model(13, new long[] {4}, node("a = Clip(x, , m)"), node("b = Clip(a, m, )"),
      node("y = Clip(b, ,)"));
    var withWeight = model.toBuilder();
    withWeight.getGraphBuilder().addInitializer(floats("m", 1).toBuilder().clearDims());
    assertGraph(withWeight.build(), """
      x = input float32[4]
      m = constant float32[scalar]
      clip_a = Clip(x, _, m)
      clip_b = Clip(clip_a, m)
      clip_y = Clip(clip_b)
      return y=clip_y
      """);
  }

  @Test
  void nodesMayStandInAnyOrder() {
    assertGraph(Models.model(13, new long[] {2}, node("y = Add(a, b)"), node("b = Neg(a)"), node("a = Relu(x)")), """
      x = input float32[2]
      relu_a = Relu(x)
      neg_b = Neg(relu_a)
      add_y = Add(relu_a, neg_b)
      return y=add_y
      """);
  }

  @Test
  void resultsLeftOutInTheMiddleAreKept() {
    Graph graph = Models.read(Models.model(17, new long[] {2, 3}, node("a, , s = LayerNormalization(x, x)"),
      node("y = Add(a, s)")), folder);
    assertTrue(graph.toString().contains("layernormalization_a = LayerNormalization(x, x) -> 3"), graph.toString());
    assertTrue(graph.toString().contains("Add(layernormalization_a, layernormalization_a:2)"), graph.toString());
  }

  @Test
  void inputsAndConstantsMayBeOutputs() {
    var model = Models.model(13).setGraph(Models.graph()
      .clearOutput()
      .addInput(Models.value("x", DType.BOOL))
      .addInput(Models.value("unread", DType.UINT8, 3))
      .addInitializer(longs("w", 5))
      .addOutput(Models.value("w", DType.INT64, 1))
      .addOutput(Models.value("x", DType.BOOL)));
    assertGraph(model.build(), """
      x = input bool[scalar]
      unread = input uint8[3]
      w = constant int64[1]
      return w=w, x=x
      """);
  }

  @Test
  void constantNodesInEveryForm() {
    assertArrayEquals(new float[] {1, 2}, floats(constant(tensor("value", floats("", 1, 2)))));
    assertEquals("view of float32[scalar]", constant(real("value_float", 3)).toString());
    assertEquals(3, constant(real("value_float", 3)).doubleAt(0));
    assertEquals("view of int64[scalar]", constant(integer("value_int", -4)).toString());
    assertArrayEquals(new long[] {-4}, constant(integer("value_int", -4)).toLongArray());
    assertArrayEquals(new long[] {5, 6}, constant(ints("value_ints", 5, 6)).toLongArray());
    assertArrayEquals(new long[] {}, constant(ints("value_ints")).toLongArray());
    var reals = AttributeProto.newBuilder().setName("value_floats")
      .setType(AttributeType.FLOATS).addFloats(7).addFloats(8);
    assertArrayEquals(new float[] {7, 8}, floats(constant(reals.build())));
  }

  @Test
  void constantsWithoutOneValueAreErrors() {
    assertThrows(InvalidModel.class, () -> constant(integer("number", 1)));
    assertThrows(InvalidModel.class, () -> constant(ints("value_int", 1)));
    assertThrows(InvalidModel.class, () -> constant(integer("value", 1)));
    assertThrows(InvalidModel.class, () -> constant(ints("value_floats", 1)));
    NodeProto two = node("y = Constant()", integer("value_int", 1), real("value_float", 1));
    assertSays(assertThrows(InvalidModel.class, () -> Models.read(Models.model(13, new long[0], two), folder)),
      "[value_float, value_int]: node=constant_y");
    NodeProto reads = node("y = Constant(x)", integer("value_int", 1));
    assertThrows(InvalidModel.class, () -> Models.read(Models.model(13, new long[0], reads), folder));
  }

  private TensorView constant(AttributeProto value) {
    Graph graph = Models.read(Models.model(13, new long[0], node("y = Constant()", value)), folder);
    if (graph.outputs().get(0).entry().node().kind() instanceof NodeKind.Constant(TensorView view)) {
      return view;
    }
    throw new AssertionError("not a constant: " + graph);
  }

  @Test
  void attributesOfEveryKind() {
    var texts = AttributeProto.newBuilder().setName("__texts").setType(AttributeType.STRINGS);
    texts.addStrings(ByteString.copyFromUtf8("a")).addStrings(ByteString.copyFromUtf8("é"));
    var reals = AttributeProto.newBuilder().setName("__reals").setType(AttributeType.FLOATS).addFloats(0.5f);
    var given = attributes(integer("__int", -3), real("__real", 1.5f), text("__text", "reflect"), ints("__ints", 1, -2),
      texts.build(), reals.build(), tensor("__tensor", longs("", 9)), ints("__none"));
    assertEquals(new AttributeValue.Int(-3), given.get(0));
    assertEquals(new AttributeValue.Ints(List.of(1L, -2L)), given.get(1));
    assertEquals(new AttributeValue.Ints(List.of()), given.get(2));
    assertEquals(new AttributeValue.Real(1.5f), given.get(3));
    assertEquals(new AttributeValue.Reals(List.of(0.5f)), given.get(4));
    assertEquals(new AttributeValue.Tensor(TensorView.ofLongs(9)), given.get(5));
    assertEquals(new AttributeValue.Text("reflect"), given.get(6));
    assertEquals(new AttributeValue.Texts(List.of("a", "é")), given.get(7));
  }

  @Test
  void attributesWithoutAKindHaveThatOfTheirField() {
    var all = List
      .of(integer("__a", 3), real("__b", 1.5f), text("__c", "t"), ints("__d", 1), tensor("__e", longs("", 9)))
      .stream()
      .map(attribute -> attribute.toBuilder().clearType().build())
      .toArray(AttributeProto[]::new);
    assertEquals(List.of(new AttributeValue.Int(3), new AttributeValue.Real(1.5f), new AttributeValue.Text("t"),
      new AttributeValue.Ints(List.of(1L)), new AttributeValue.Tensor(TensorView.ofLongs(9))), attributes(all));
  }

  @Test
  void badAttributesAreErrors() {
    assertSays(assertThrows(InvalidModel.class, () -> attributes(AttributeProto.newBuilder().setName("__a").build())),
      "an attribute has no value: node=relu_y attribute=__a");
    assertSays(assertThrows(InvalidModel.class, () -> attributes(integer("__a", 1), real("__a", 1))), "given twice");
    var notText = text("__a", "").toBuilder().setS(ByteString.copyFrom(new byte[] {(byte) 0xc3, 0x28})).build();
    assertSays(assertThrows(InvalidModel.class, () -> attributes(notText)), "not UTF-8");
  }

  /** The values of a node's attributes, which no operator set defines, in the order of their names. */
  private List<AttributeValue> attributes(AttributeProto... attributes) {
    Graph graph = Models.read(Models.model(13, new long[] {2}, node("y = Relu(x)", attributes)), folder);
    Node node = graph.outputs().get(0).entry().node();
    return node.kind() instanceof NodeKind.Apply apply ? List.copyOf(apply.attributes().asMap().values()) : List.of();
  }

  private void assertGraph(ModelProto model, String text) {
    assertEquals(text, Models.read(model, folder).toString());
  }
}
