package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.integer;
import static dev.cairn.runtime.onnx.Models.ints;
import static dev.cairn.runtime.onnx.Models.node;
import static dev.cairn.runtime.onnx.Models.real;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.InvalidModel;
import java.nio.file.Path;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An attribute that the operator's version does not define would be ignored: the model is refused instead. */
class UndefinedAttributesTest {
  @TempDir
  private Path folder;

  @Test
  void anAttributeThatBecameAnInput() {
    assertRefused(Models.model(18, new long[] {2, 3}, node("y = ReduceMean(x)", ints("axes", 1))), "node=reducemean_y",
      "ReduceMean of opset 18 has no attribute axes; opsets that have it: 1 to 17");
    assertRefused(Models.model(13, new long[] {1, 3}, node("y = Squeeze(x)", ints("axes", 0))), "node=squeeze_y",
      "Squeeze of opset 13 has no attribute axes");
    assertRefused(Models.model(12, new long[] {2}, node("y = Dropout(x)", real("ratio", 0.5f))), "dropout_y", "ratio");
    assertRead(Models.model(17, new long[] {2, 3}, node("y = ReduceMean(x)", ints("axes", 1))));
  }

  @Test
  void anAttributeOfALaterVersion() {
    assertRefused(Models.model(14, new long[] {2, 3}, node("y = Shape(x)", integer("start", 1))), "node=shape_y",
      "Shape of opset 14 has no attribute start; opsets that have it: from 15 on");
    assertRead(Models.model(15, new long[] {2, 3}, node("y = Shape(x)", integer("start", 1))));
  }

  @Test
  void anAttributeOfNoVersion() {
    assertRefused(Models.model(13, new long[] {2, 3}, node("y = Softmax(x)", integer("axes", 0))), "node=softmax_y",
      "Softmax of opset 13 has no attribute axes; it has axis");
    assertRefused(Models.model(13, new long[] {2, 3}, node("y = Relu(x)", integer("alpha", 0))), "relu_y",
      "has no attribute alpha; it has none");
  }

  @Test
  void operatorsOfMicrosoft() {
    NodeProto.Builder node = node("y = QuickGelu(x)", real("beta", 2)).toBuilder().setDomain("com.microsoft");
    assertRefused(Models.model(13, new long[] {2}, node.build()), "quickgelu_y", "no attribute beta; it has alpha");
    assertRead(Models.model(13, new long[] {2}, node.clearAttribute().addAttribute(real("alpha", 2)).build()));
  }

  @Test
  void aNodeOfABodyAndItsOwner() {
    NodeProto wrong = node("b = Relu(x)", integer("axis", 1));
    NodeProto right = node("b = Relu(x)");
    assertRefused(choice(branch(right), branch(wrong)), "relu_b", "no attribute axis");
    assertRefused(choice(branch(right), branch(right), integer("axis", 1)), "if_y", "no attribute axis");
    assertRead(choice(branch(right), branch(right)));
  }

  @Test
  void attributesThatToolsKeepForThemselves() {
    assertRead(Models.model(13, new long[] {2}, node("y = Relu(x)", integer("__origin", 7))));
  }

  private static GraphProto branch(NodeProto node) {
    return GraphProto.newBuilder().setName("branch").addNode(node).addOutput(Models.value("b", DType.FLOAT32, 2))
      .build();
  }

  private static ModelProto choice(GraphProto then, GraphProto otherwise, AttributeProto... more) {
    NodeProto.Builder node = node("y = If(c)", more).toBuilder().addAttribute(body("then_branch", then)).addAttribute(
      body("else_branch", otherwise));
    ModelProto.Builder model = Models.model(13, new long[] {2}, node.build()).toBuilder();
    model.getGraphBuilder().addInput(Models.value("c", DType.BOOL));
    return model.build();
  }

  private static AttributeProto body(String name, GraphProto graph) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.GRAPH).setG(graph).build();
  }

  private void assertRead(ModelProto model) {
    OnnxReader.read(Models.save(model, folder), StandardOperators.table());
  }

  private void assertRefused(ModelProto model, String... parts) {
    InvalidModel error = assertThrows(InvalidModel.class, () -> assertRead(model));
    for (String part : parts) {
      Models.assertSays(error, part);
    }
  }
}
