package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.RefusedHint;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hints on nodes in the metadata of a file's nodes. */
class NodeHintsTest {
  @TempDir
  private Path folder;

  private static NodeProto hinted(NodeProto node, String key, String value) {
    var hinted = node.toBuilder();
    hinted.addMetadataPropsBuilder().setKey("author").setValue("not for Cairn");
    hinted.addMetadataPropsBuilder().setKey(key).setValue(value);
    return hinted.build();
  }

  /** A value that is read before and after two others. */
  private static ModelProto model(String key, String value) {
    return Models.model(22, new long[] {64, 64}, hinted(node("a = Tanh(x)"), key, value), node("b = MatMul(a, a)"),
      node("c = Softmax(b)"), node("y = Add(c, a)"));
  }

  private Path written(ModelProto model) throws IOException {
    return Files.write(folder.resolve("model.onnx"), model.toByteArray());
  }

  @Test
  void aHintInAFileBinds() throws IOException {
    try (var session = Session.open(written(model("cairn.repeat", "always")))) {
      assertThat(session.compiled().orElseThrow().recomputed().orElseThrow().recomputations())
        .containsExactly("tanh_a/again1");
    }
    try (var session = Session.open(written(model("other.repeat", "always")))) {
      assertThat(session.compiled().orElseThrow().recomputed()).isEmpty();
    }
  }

  @Test
  void badHintsAreRefused() throws IOException {
    for (String value : List.of("Always", "")) {
      Path file = written(model("cairn.repeat", value));
      assertThatThrownBy(() -> Session.open(file)).isInstanceOfSatisfying(RefusedHint.class, it -> {
        assertThat(it.hint()).isEqualTo("cairn.repeat=" + value);
        assertThat(it.node()).isEqualTo("tanh_a");
      });
    }
    Path unknown = written(model("cairn.rerun", "always"));
    assertThatThrownBy(() -> Session.open(unknown)).isInstanceOfSatisfying(RefusedHint.class, it -> {
      assertThat(it.hint()).isEqualTo("cairn.rerun=always");
      assertThat(it.node()).isEqualTo("tanh_a");
    }).hasMessageContaining("known=[cairn.offload, cairn.repeat]");
    Path line = written(model("cairn.repeat", "always\n"));
    assertThatThrownBy(() -> Session.open(line)).isInstanceOf(InvalidModel.class).hasMessageContaining("node=tanh_a");
    NodeProto twice = hinted(hinted(node("y = Relu(x)"), "cairn.repeat", "never"), "cairn.repeat", "always");
    Path both = written(Models.model(22, new long[] {2}, twice));
    assertThatThrownBy(() -> Session.open(both)).isInstanceOf(InvalidModel.class).hasMessageContaining(
      "two entries of metadata have one key: key=cairn.repeat: node=relu_y");
  }

  @Test
  void hintsAreOfAFunctionsNodesNotOfItsCalls() throws IOException {
    NodeProto call = node("y = Twice(x)").toBuilder().setDomain("local").build();
    FunctionProto function = FunctionProto.newBuilder().setName("Twice").setDomain("local").addInput("a").addOutput("c")
      .addOpsetImport(Models.opset("", 22)).addNode(hinted(node("b = Relu(a)"), "cairn.repeat", "never")).addNode(node(
        "c = Add(b, b)"))
      .build();
    ModelProto model = Models.model(22, new long[] {2}, call).toBuilder().addFunctions(function).addOpsetImport(Models
      .opset("local", 1)).build();
    assertThat(OnnxReader.read(written(model), Models.operators()).toString()).contains("# cairn.repeat=never");
    ModelProto hinted = Models.model(22, new long[] {2}, hinted(call, "cairn.repeat", "never")).toBuilder()
      .addFunctions(function).addOpsetImport(Models.opset("local", 1)).build();
    Path file = written(hinted);
    assertThatThrownBy(() -> Session.open(file)).isInstanceOf(InvalidModel.class).hasMessageContaining(
      "a call of a function has hints, which are for the function's own nodes: node=twice_y");
  }

  @Test
  void hintsAreWrittenAndReadAgain() throws IOException {
    Graph graph = OnnxReader.read(written(model("cairn.offload", "never")), Models.operators());
    assertThat(graph.toString()).contains("# cairn.offload=never").doesNotContain("author");
    Path copy = folder.resolve("copy.onnx");
    OnnxWriter.write(graph, List.of(DeclaredType.of(TensorType.of(DType.FLOAT32, 64, 64))), copy);
    assertThat(OnnxReader.read(copy, Models.operators()).toString()).isEqualTo(graph.toString());
  }

  /** The node that makes the result has the hint. */
  @Test
  void nodesThatBecomeSeveralKeepTheHint() throws IOException {
    ModelProto model = Models.model(22, new long[] {2, 3, 4, 4}, hinted(node("y = MeanVarianceNormalization(x)"),
      "cairn.repeat", "never"));
    String graph = OnnxReader.read(written(model), Models.operators()).toString();
    assertThat(graph.lines().filter(it -> it.contains(" = ")).count()).isGreaterThan(2);
    assertThat(graph.lines().filter(it -> it.contains("# cairn.repeat=never"))).hasSize(1);
  }
}
