package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.OperatorSetIdProto;
import dev.cairn.runtime.onnx.proto.StringStringEntryProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.onnx.proto.TensorShapeProto;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code cairn plan} tells of branches and loops. */
class PlannedBodiesTest {
  @TempDir
  private Path folder;

  private static ValueInfoProto value(String name, int type, long... extents) {
    var shape = TensorShapeProto.newBuilder();
    for (long extent : extents) {
      shape.addDimBuilder().setDimValue(extent);
    }
    return ValueInfoProto.newBuilder().setName(name).setType(TypeProto.newBuilder().setTensorType(TypeProto.Tensor
      .newBuilder().setElemType(type).setShape(shape))).build();
  }

  private static NodeProto node(String operator, String output, List<String> inputs, AttributeProto... attributes) {
    return NodeProto.newBuilder().setName(output + "_node").setOpType(operator).addOutput(output).addAllInput(inputs)
      .addAllAttribute(List.of(attributes)).build();
  }

  private static AttributeProto body(String name, GraphProto.Builder body) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.GRAPH).setG(body).build();
  }

  /**
   * A model of 1,000 numbers: the mean of each pair of products, or the products themselves; then doubled 100 times.
   */
  private Path model() throws IOException {
    var then = GraphProto.newBuilder().addNode(node("MatMul", "p", List.of("x", "x"))).addNode(node("MatMul", "q", List
      .of("p", "x"))).addOutput(value("q", 1, 32, 32));
    var otherwise = GraphProto.newBuilder().addNode(node("Neg", "n", List.of("x"))).addOutput(value("n", 1, 32, 32));
    var twice = GraphProto.newBuilder().addInput(value("i", 7)).addInput(value("on", 9)).addInput(value("v", 1, 32, 32))
      .addNode(node("Identity", "stays", List.of("on"))).addNode(node("Add", "w", List.of("v", "v"))).addOutput(value(
        "stays", 9))
      .addOutput(value("w", 1, 32, 32));
    var graph = GraphProto.newBuilder().setName("g").addInput(value("c", 9)).addInput(value("x", 1, 32, 32))
      .addInitializer(TensorProto.newBuilder().setName("count").setDataType(7).addInt64Data(100)).addNode(node("If",
        "y", List.of("c"), body("then_branch", then), body("else_branch", otherwise)))
      .addNode(node("Loop", "z", List
        .of("count", "", "y"), body("body", twice)))
      .addOutput(value("z", 1, 32, 32));
    return Files.write(folder.resolve("control.onnx"), ModelProto.newBuilder().setIrVersion(8).addOpsetImport(
      OperatorSetIdProto.newBuilder().setVersion(16)).setGraph(graph).build().toByteArray());
  }

  @Test
  void branchesAndLoopsAreToldWithTheMemoryOfTheirBodies() throws IOException {
    String text = Outcome.ok("plan", model(), "--device", "cpu");
    assertThat(text).containsPattern("(?m)^bodies +if y_node: then \\d[.,]\\d+ KiB?, else 0 B");
    assertThat(text).containsPattern("(?m)^bodies +loop z_node: 100 trips, body 0 B, carried 2 x 4[.,]\\d+ KiB?");
    JsonNode bodies = Outcome.json("plan", model(), "--device", "cpu").get("bodies");
    assertThat(bodies.get(0).get("workspaceBytes").asLong()).isEqualTo(bodies.get(0).get("bodyBytes").get(0).asLong())
      .isGreaterThanOrEqualTo(4096);
    assertThat(bodies.get(1).get("operator").asString()).isEqualTo("Loop");
  }

  /** A hint in a branch: its result is read far behind, too. */
  @Test
  void stepsOfABodyThatRunAgainAreTold() throws IOException {
    var then = GraphProto.newBuilder().addNode(node("Tanh", "t", List.of("x")).toBuilder().addMetadataProps(
      StringStringEntryProto.newBuilder().setKey("cairn.repeat").setValue("always"))).addNode(node("MatMul", "p",
        List
          .of("t", "t")))
      .addNode(node("Softmax", "s", List.of("p"))).addNode(node("Add", "q", List.of("s", "t")))
      .addOutput(value("q", 1, 32, 32));
    var otherwise = GraphProto.newBuilder().addNode(node("Neg", "n", List.of("x"))).addOutput(value("n", 1, 32, 32));
    var graph = GraphProto.newBuilder().setName("g").addInput(value("c", 9)).addInput(value("x", 1, 32, 32)).addNode(
      node("If", "y", List.of("c"), body("then_branch", then), body("else_branch", otherwise))).addOutput(
        value("y", 1,
          32, 32));
    Path file = Files.write(folder.resolve("hinted.onnx"), ModelProto.newBuilder().setIrVersion(10).addOpsetImport(
      OperatorSetIdProto.newBuilder().setVersion(16)).setGraph(graph).build().toByteArray());
    assertThat(Outcome.ok("plan", file, "--device", "cpu")).containsPattern(
      "(?m)^bodies +if y_node: then [\\d.,]+ KiB? \\(1 step runs again\\), else 0 B");
    assertThat(
      Outcome.json("plan", file, "--device", "cpu").get("bodies").get(0).get("recomputations").get(0).asString())
      .endsWith("t_node/again1");
    assertThat(Outcome.json("plan", model(), "--device", "cpu").get("bodies").get(0).has("recomputations")).isFalse();
  }
}
