package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMap;
import dev.cairn.runtime.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Models that scikit-learn and LightGBM export give the results of ONNX Runtime, which lie beside them: equal labels,
 * and near scores.
 */
class SklearnModelsTest {
  private static final double TOLERANCE = 1e-4;
  private static final JsonMapper JSON = JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  @TestFactory
  Stream<DynamicTest> exportsGiveTheirResults() throws IOException {
    Path all = SharedData.require("sklearn");
    List<Path> models = new ArrayList<>();
    try (Stream<Path> folders = Files.list(all)) {
      folders.filter(it -> Files.exists(it.resolve("model.onnx"))).sorted().forEach(models::add);
    }
    assertThat(models).isNotEmpty();
    return models.stream().map(it -> DynamicTest.dynamicTest(it.getFileName().toString(), () -> check(it)));
  }

  private static void check(Path folder) throws IOException {
    JsonNode expected = JSON.readTree(Files.readString(folder.resolve("case.json")));
    Map<String, Tensor> inputs = new TreeMap<>();
    expected.get("inputs").propertyStream().forEach(it -> inputs.put(it.getKey(), tensor(it.getValue())));
    try (Session session = Session.open(folder.resolve("model.onnx"), SessionOptions.DEFAULT);
      Result result = session.run(inputs)) {
      JsonNode outputs = expected.get("outputs");
      assertThat(result.names()).containsExactlyElementsOf(outputs.propertyNames());
      for (String name : result.names()) {
        check(name, outputs.get(name), result.value(name));
      }
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }

  private static Tensor tensor(JsonNode node) {
    long[] shape = node.get("shape").valueStream().mapToLong(JsonNode::asLong).toArray();
    List<JsonNode> values = node.get("values").valueStream().toList();
    return switch (node.get("dtype").asString()) {
      case "float32" -> {
        float[] floats = new float[values.size()];
        for (int i = 0; i < floats.length; i++) {
          floats[i] = (float) number(values.get(i));
        }
        yield Tensor.of(floats, shape);
      }
      case "int64" -> Tensor.of(values.stream().mapToLong(JsonNode::asLong).toArray(), shape);
      default -> Tensor.of(values.stream().map(JsonNode::asString).toArray(String[]::new), shape);
    };
  }

  /** Some numbers are written as texts: NaN. */
  private static double number(JsonNode node) {
    return node.isNumber() ? node.asDouble() : node.isNull() ? Double.NaN : Double.parseDouble(node.asString());
  }

  private static void check(String name, JsonNode wanted, Value given) {
    if (given instanceof TensorMap.Sequence maps) {
      assertThat(maps.size()).as(name).isEqualTo(wanted.size());
      for (int i = 0; i < maps.size(); i++) {
        checkMap(name + "[" + i + "]", wanted.get(i), maps.map(i));
      }
      return;
    }
    TensorView view = ((Tensor) given).view();
    assertThat(view.shape().extents()).as(name).containsExactly(wanted.get("shape").valueStream().mapToLong(
      JsonNode::asLong).toArray());
    List<JsonNode> values = wanted.get("values").valueStream().toList();
    for (int i = 0; i < values.size(); i++) {
      String what = name + "[" + i + "]";
      if (view.dtype() == DType.STRING) {
        assertThat(StringElements.at(view, i)).as(what).isEqualTo(values.get(i).asString());
      } else if (view.dtype().isFloat()) {
        assertNear(what, number(values.get(i)), view.doubleAt(i));
      } else {
        assertThat(view.longAt(i)).as(what).isEqualTo(values.get(i).asLong());
      }
    }
  }

  private static void checkMap(String name, JsonNode wanted, Map<Object, Float> given) {
    assertThat(given.keySet().stream().map(Object::toString).toList()).as(name).containsExactlyElementsOf(wanted
      .propertyNames());
    given.forEach((key, value) -> assertNear(name + "." + key, number(wanted.get(key.toString())), value));
  }

  private static void assertNear(String name, double wanted, double given) {
    if (!Double.isNaN(wanted) || !Double.isNaN(given)) {
      assertThat(given).as(name).isCloseTo(wanted, Offset.offset(TOLERANCE * Math.max(1, Math.abs(
        wanted))));
    }
  }
}
