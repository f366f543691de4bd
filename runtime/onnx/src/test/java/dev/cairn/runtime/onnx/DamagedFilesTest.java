package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.assertSays;
import static dev.cairn.runtime.onnx.Models.floats;
import static dev.cairn.runtime.onnx.Models.integer;
import static dev.cairn.runtime.onnx.Models.ints;
import static dev.cairn.runtime.onnx.Models.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.InvalidModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are no models, or broken ones: always one of the two typed errors, which says what is wrong and where. */
class DamagedFilesTest {
  @TempDir
  private Path folder;

  @Test
  void noModelAtAll() throws IOException {
    assertSays(assertThrows(InvalidModel.class, () -> OnnxReader.read(folder.resolve("none.onnx"), Models.operators())),
      "no such model file");
    assertSays(assertThrows(InvalidModel.class, () -> OnnxReader.read(folder, Models.operators())), "a folder");
    assertInvalid("the file is empty", new byte[0]);
    assertInvalid("damaged", "This is a text and not a model.".getBytes(StandardCharsets.UTF_8));
    assertInvalid("damaged", new byte[4096]);
    assertInvalid("damaged", "<html><body>404</body></html>".getBytes(StandardCharsets.UTF_8));
    byte[] noise = new byte[5000];
    new Random(1).nextBytes(noise);
    assertThrows(InvalidModel.class, () -> OnnxReader.read(Models.save(noise, folder), Models.operators()));
    assertInvalid("IR version", ModelProto.newBuilder().setProducerName("x").build().toByteArray());
    assertInvalid("no graph", Models.model(13).build().toByteArray());
    assertInvalid("needs an output", Models.model(13).setGraph(GraphProto.newBuilder()).build().toByteArray());
  }

  @Test
  void truncatedAtEveryByte() throws IOException {
    byte[] whole = smallModel().toByteArray();
    int failed = 0;
    for (int length = 0; length < whole.length; length++) {
      failed += fails(Arrays.copyOf(whole, length)) ? 1 : 0;
    }
    // What comes after the graph is a function without a call and the opset, without which no operator is known.
    assertEquals(whole.length, failed);
    assertTrue(whole.length > 500, "bytes: " + whole.length);
  }

  @Test
  void anyByteChanged() throws IOException {
    byte[] whole = smallModel().toByteArray();
    Random random = new Random(2);
    int failed = 0;
    for (int i = 0; i < 1200; i++) {
      byte[] changed = whole.clone();
      for (int n = random.nextInt(3); n >= 0; n--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      failed += fails(changed) ? 1 : 0;
    }
    assertTrue(failed > 300 && failed < 1200, "failed: " + failed);
  }

  /** Whether reading the bytes fails with one of the two errors that are allowed; throws any other error. */
  private boolean fails(byte[] bytes) throws IOException {
    Path file = Models.anew(folder.resolve("damaged.onnx"), bytes);
    boolean failed = false;
    try {
      OnnxReader.read(file, Models.operators());
    } catch (InvalidModel | UnsupportedOperators e) {
      failed = true;
    }
    try {
      OnnxReader.summary(file);
    } catch (InvalidModel e) {
      assertTrue(failed, "what has no summary cannot be read");
    }
    return failed;
  }

  @Test
  void wiringIsJudged() {
    assertInvalid("nodes form a cycle: cycle=[neg_b, relu_d, abs_c]", node("a = Relu(x)"),
      node("b = Neg(d)"), node("c = Abs(b)"), node("d = Relu(c)"), node("y = Add(a, d)"));
    assertInvalid("cycle=[add_y]", node("y = Add(x, y)"));
    assertInvalid("reads an undefined value: node=add_y value=z", node("y = Add(x, z)"));
    assertInvalid("a value is defined twice: value=y node=neg_y other=relu_y", node("y = Relu(x)"), node("y = Neg(x)"));
    assertInvalid("value=a node=split_a other=split_a", node("a, a = Split(x)"), node("y = Relu(a)"));
    assertInvalid("value=x node=neg_x other=an input", node("y = Relu(x)"), node("x = Neg(y)"));
    assertInvalid("an output is undefined: output=y", node("z = Relu(x)"));
    assertInvalid("needs an operator and a result", node("y = (x)"));
    assertInvalid("needs an operator and a result", node("y = Relu(x)").toBuilder().setOutput(0, "").build());
  }

  @Test
  void deepModelsAreNoProblemForTheStack() {
    var graph = Models.graph().addInput(Models.value("x", DType.FLOAT32, 2));
    for (int i = 40_000; i > 0; i--) {
      graph.addNode(node((i == 40_000 ? "y" : "v" + i) + " = Relu(" + (i == 1 ? "x" : "v" + (i - 1)) + ")"));
    }
    assertEquals(40_001, Models.read(Models.model(13).setGraph(graph).build(), folder).nodes().size());
  }

  @Test
  void inputsThatAnOperatorNeedsMustBeThere() {
    assertInvalid("a node lacks an input: node=add_y operator=Add input=1", node("y = Add(x)"));
    assertInvalid("node=add_y operator=Add input=0", node("y = Add(, x)"));
    assertInvalid("node=relu_y operator=Relu input=0", node("y = Relu()"));
    assertInvalid("operator=Unsqueeze input=1", node("y = Unsqueeze(x)"));
  }

  @Test
  void namesMustDiffer() {
    var graph = Models.graph(node("y = Relu(x)")).addInput(Models.value("x", DType.FLOAT32, 2));
    assertInvalid("an input needs a unique name: name=x",
      Models.model(13).setGraph(graph.clone().addInput(Models.value("x", DType.FLOAT32, 2))).build().toByteArray());
    assertInvalid("an initializer needs a unique name: name=w", Models.model(13)
      .setGraph(graph.clone().addInitializer(floats("w", 1)).addInitializer(floats("w", 1))).build().toByteArray());
    assertInvalid("an initializer needs a unique name", Models.model(13)
      .setGraph(graph.clone().addInitializer(floats("", 1))).build().toByteArray());
    assertInvalid("two outputs have one name: output=y", Models.model(13)
      .setGraph(graph.clone().addOutput(Models.value("y", DType.FLOAT32, 2))).build().toByteArray());
  }

  @Test
  void opsetMustBeSaid() {
    assertInvalid("does not say which opset it uses: node=relu_y",
      Models.model(13, new long[] {2}, node("y = Relu(x)")).toBuilder().clearOpsetImport().build().toByteArray());
  }

  @Test
  void endlessNestingIsDamage() {
    for (int depth : new int[] {60, 1_000}) {
      ByteString graph = GraphProto.newBuilder().setName("innermost").build().toByteString();
      for (int i = 0; i < depth; i++) {
        ByteString attribute = AttributeProto.newBuilder().setName("body").setUnknownFields(field(6, graph)).build()
          .toByteString();
        ByteString node = NodeProto.newBuilder().setOpType("If").setUnknownFields(field(5, attribute)).build()
          .toByteString();
        graph = GraphProto.newBuilder().setUnknownFields(field(1, node)).build().toByteString();
      }
      assertInvalid("nested too deeply", Models.model(13).clearGraph().setUnknownFields(field(7, graph)).build()
        .toByteArray());
    }
  }

  /** A message that is a field of another one, as bytes: protobuf itself does not write deeply nested ones. */
  private static UnknownFieldSet field(int number, ByteString message) {
    return UnknownFieldSet.newBuilder().addField(number, UnknownFieldSet.Field.newBuilder().addLengthDelimited(message)
      .build()).build();
  }

  private static ModelProto smallModel() {
    var weight = TensorProto.newBuilder().setName("w").setDataType(1).addDims(2).addDims(3);
    weight.setRawData(ByteString.copyFrom(new byte[24]));
    var flag = TensorProto.newBuilder().setName("flag").setDataType(9).setRawData(ByteString.copyFrom(new byte[] {1}));
    GraphProto.Builder graph = Models.graph(node("s = Squeeze(x)", ints("axes", 0)), node("m = MatMul(s, w)"),
      node("p = Pad(m)", ints("pads", 0, 1, 0, 1), Models.text("mode", "constant"), Models.real("value", 1)),
      node("c = Cast(p)", integer("to", 1)), node("k = Constant()", Models.tensor("value", floats("", 1, 2))),
      node("h, d = Split(c)", integer("axis", 1), ints("split", 2, 3)), node("r = Softmax(d)"),
      node("f = Local(r)").toBuilder().setDomain("local").build(), node("y = Where(flag, f, d)"));
    FunctionProto local = FunctionProto.newBuilder().setName("Local").setDomain("local").addInput("a").addOutput("b")
      .addNode(node("b = Relu(a)")).addOpsetImport(Models.opset("", 10)).build();
    byte[] graphFirst = ModelProto.newBuilder().setIrVersion(7).addFunctions(local).setGraph(graph
      .addInput(Models.value("x", DType.FLOAT32, 1, 4, 2)).addInitializer(weight).addInitializer(flag))
      .build().toByteArray();
    byte[] opset = ModelProto.newBuilder().addOpsetImport(Models.opset("", 10)).build().toByteArray();
    try {
      return ModelProto.parseFrom(ByteString.copyFrom(graphFirst).concat(ByteString.copyFrom(opset)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void assertInvalid(String part, NodeProto... nodes) {
    assertInvalid(part, Models.model(13, new long[] {2}, nodes).toByteArray());
  }

  private void assertInvalid(String part, byte[] file) {
    assertSays(assertThrows(InvalidModel.class, () -> OnnxReader.read(Models.save(file, folder), Models.operators())),
      part);
  }
}
