package dev.cairn.runtime.symbolfile;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.NativeTensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Attributes and small tensors in JSON. Whole numbers and lists of them stand for themselves, and so do texts. Others
 * say their kind: {@code {"real": 0.5}}, {@code {"reals": [...]}}, {@code {"texts": [...]}}, {@code {"tensor": ...}}.
 */
final class AttributeJson {
  private AttributeJson() {}

  static ObjectNode write(Attributes attributes) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    attributes.asMap().forEach((name, value) -> json.set(name, write(value)));
    return json;
  }

  private static JsonNode write(AttributeValue value) {
    JsonNodeFactory make = JsonNodeFactory.instance;
    return switch (value) {
      case AttributeValue.Int(long number) -> make.numberNode(number);
      case AttributeValue.Text(String text) -> make.stringNode(text);
      case AttributeValue.Real(float number) -> make.objectNode().put("real", Float.toString(number));
      case AttributeValue.Ints(List<Long> numbers) -> numbers(numbers);
      case AttributeValue.Reals(List<Float> numbers) -> make.objectNode().set("reals", texts(numbers.stream().map(
        String::valueOf).toList()));
      case AttributeValue.Texts(List<String> texts) -> make.objectNode().set("texts", texts(texts));
      case AttributeValue.Tensor(TensorView tensor) -> make.objectNode().set("tensor", write(tensor));
    };
  }

  static ArrayNode numbers(List<Long> numbers) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    numbers.forEach(json::add);
    return json;
  }

  private static ArrayNode texts(List<String> texts) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    texts.forEach(json::add);
    return json;
  }

  static ObjectNode write(TensorView tensor) {
    if (tensor.dtype() == DType.STRING) {
      throw new IllegalArgumentException("strings cannot be written into a symbol's file");
    }
    return JsonNodeFactory.instance.objectNode().put("dtype", tensor.dtype().toString()).set("shape", numbers(Arrays
      .stream(tensor.shape().extents()).boxed().toList())).asObject().put("data", Base64.getEncoder().encodeToString(
        tensor.segment().toArray(ValueLayout.JAVA_BYTE)));
  }

  static Attributes readAttributes(JsonNode json) {
    Map<String, AttributeValue> values = new LinkedHashMap<>();
    json.propertyNames().forEach(name -> values.put(name, value(json.get(name))));
    return Attributes.of(values);
  }

  private static AttributeValue value(JsonNode json) {
    if (json.isIntegralNumber()) {
      return new AttributeValue.Int(json.longValue());
    }
    if (json.isString()) {
      return new AttributeValue.Text(json.stringValue());
    }
    if (json.isArray()) {
      return new AttributeValue.Ints(list(json).map(JsonNode::asLong).toList());
    }
    if (json.has("real")) {
      return new AttributeValue.Real(Float.parseFloat(json.get("real").asString()));
    }
    if (json.has("reals")) {
      return new AttributeValue.Reals(list(json.get("reals")).map(it -> Float.parseFloat(it.asString())).toList());
    }
    if (json.has("texts")) {
      return new AttributeValue.Texts(list(json.get("texts")).map(JsonNode::asString).toList());
    }
    if (json.has("tensor")) {
      return new AttributeValue.Tensor(readTensor(json.get("tensor")));
    }
    throw new IllegalArgumentException("unknown kind of attribute: value=" + json);
  }

  private static Stream<JsonNode> list(JsonNode json) {
    return StreamSupport.stream(json.spliterator(), false);
  }

  static DType readType(String name) {
    try {
      return DType.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException _) {
      throw new IllegalArgumentException("unknown element type: dtype=" + name);
    }
  }

  static TensorView readTensor(JsonNode json) {
    long[] extents = list(json.path("shape")).mapToLong(JsonNode::asLong).toArray();
    var type = new TensorType(readType(json.path("dtype").asString()), Shape.of(extents));
    byte[] data = Base64.getDecoder().decode(json.path("data").asString());
    if (data.length != type.bytes()) {
      throw new IllegalArgumentException("a tensor has another length than its type: type=%s wantedBytes=%d bytes=%d"
        .formatted(type, type.bytes(), data.length));
    }
    TensorView tensor = NativeTensor.allocate(type);
    tensor.segment().copyFrom(MemorySegment.ofArray(data));
    return tensor;
  }
}
