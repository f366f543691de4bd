package dev.cairn.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMap;
import dev.cairn.runtime.value.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Maps as inputs and outputs of models. */
class MapValuesTest {
  private static final int FLOAT32 = ElementTypes.number(DType.FLOAT32);

  @TempDir
  private Path folder;

  private static TypeProto tensor(int element) {
    return TypeProto.newBuilder().setTensorType(TypeProto.Tensor.newBuilder().setElemType(element)).build();
  }

  private static TypeProto map(DType keys) {
    return TypeProto.newBuilder().setMapType(TypeProto.Map.newBuilder().setKeyType(ElementTypes.number(keys))
      .setValueType(tensor(FLOAT32))).build();
  }

  private static TypeProto rows(long columns) {
    var type = tensor(FLOAT32).toBuilder();
    type.getTensorTypeBuilder().getShapeBuilder().addDimBuilder().setDimParam("rows");
    type.getTensorTypeBuilder().getShapeBuilder().addDimBuilder().setDimValue(columns);
    return type.build();
  }

  private Session open(TypeProto input, String operator, AttributeProto... attributes) throws Exception {
    var node = NodeProto.newBuilder().setName("node").setOpType(operator).setDomain("ai.onnx.ml").addInput("x")
      .addOutput("y").addAllAttribute(List.of(attributes));
    var graph = GraphProto.newBuilder().setName("g").addInput(ValueInfoProto.newBuilder().setName("x").setType(input))
      .addOutput(ValueInfoProto.newBuilder().setName("y")).addNode(node);
    ModelProto model = ModelProto.newBuilder().setIrVersion(8).addOpsetImport(Models.opset("", 17)).addOpsetImport(
      Models.opset("ai.onnx.ml", 1)).setGraph(graph).build();
    return Session.open(Models.save(model, folder), SessionOptions.DEFAULT.withDevice("cpu"));
  }

  private static AttributeProto texts(String name, String... values) {
    var attribute = AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.STRINGS);
    for (String value : values) {
      attribute.addStrings(ByteString.copyFromUtf8(value));
    }
    return attribute.build();
  }

  @Test
  void zipMapNamesTheColumnsOfEachRow() throws Exception {
    try (Session session = open(rows(2), "ZipMap", texts("classlabels_strings", "a", "b"));
      Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2);
      Result result = session.run(Map.of("x", x))) {
      var maps = (TensorMap.Sequence) result.value("y");
      assertThat(maps.size()).isEqualTo(3);
      assertThat(maps.map(1)).isEqualTo(Map.of("a", 3f, "b", 4f));
      assertThatThrownBy(() -> maps.map(3)).isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining(
        "index=3 maps=3");
      assertThatThrownBy(() -> result.get("y")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
        "kind=Sequence");
    }
  }

  @Test
  void zipMapNeedsALabelForEachColumn() throws Exception {
    try (Session session = open(rows(3), "ZipMap", texts("classlabels_strings", "a", "b"));
      Tensor x = Tensor.of(new float[] {1, 2, 3}, 1, 3)) {
      assertThatThrownBy(() -> session.run(Map.of("x", x))).isInstanceOf(InvalidGraph.class).hasMessageContaining(
        "one column for each label");
    }
  }

  @Test
  void vocabularyOrdersTheValuesOfAMap() throws Exception {
    try (Session session = open(map(DType.STRING), "DictVectorizer", texts("string_vocabulary", "c", "a", "b"))) {
      assertThat(session.info().inputs().get("x")).hasToString("string map of float32");
      assertThat(run(session, TensorMap.ofTexts(Map.of("a", 1f, "c", 2f, "unknown", 9f)))).containsExactly(2, 1, 0);
      assertThatThrownBy(() -> run(session, TensorMap.ofNumbers(Map.of(1L, 1f)))).isInstanceOf(
        IllegalArgumentException.class).hasMessageContaining("an input is of another kind");
    }
  }

  @Test
  void castMapTakesValuesInTheOrderOfKeysOrWhereTheKeysSay() throws Exception {
    Map<Long, Float> values = Map.of(3L, 30f, 0L, 10f);
    try (Session dense = open(map(DType.INT64), "CastMap")) {
      assertThat(run(dense, TensorMap.ofNumbers(values))).containsExactly(10, 30);
    }
    try (Session sparse = open(map(DType.INT64), "CastMap", Models.text("map_form", "SPARSE"),
      Models.integer("max_map", 5))) {
      assertThat(run(sparse, TensorMap.ofNumbers(values))).containsExactly(10, 0, 0, 30, 0);
      assertThatThrownBy(() -> run(sparse, TensorMap.ofNumbers(Map.of(-1L, 1f)))).isInstanceOf(InvalidGraph.class)
        .hasMessageContaining("may not be negative: key=-1");
    }
  }

  private static float[] run(Session session, TensorMap x) {
    try (Result result = session.run(Map.<String, Value>of("x", x))) {
      return result.get("y").toFloatArray();
    } finally {
      x.tensors().forEach(Tensor::close);
    }
  }
}
