package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.Gradients;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.tensorfile.SafetensorsFile;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Results and gradients of single operators in {@code float64}, against PyTorch's. {@code oracle/gradients.py} made
 * the values.
 */
class OracleGradientsTest {
  private static final double RELATIVE = 1e-8;

  @TestFactory
  Stream<DynamicTest> gradientsAreThoseOfPyTorch() throws IOException, URISyntaxException {
    SafetensorsFile file = SafetensorsFile.read(Path.of(Objects.requireNonNull(OracleGradientsTest.class.getResource(
      "/oracle/gradients.safetensors")).toURI()));
    List<DynamicTest> tests = new ArrayList<>();
    JsonMapper.shared().readTree(Objects.requireNonNull(file.metadata().get("cases"))).forEach(json -> tests.add(
      DynamicTest.dynamicTest(json.get("name").asString(), () -> new Case(json, file.tensors()).check())));
    assertThat(tests).hasSizeGreaterThan(130);
    return tests.stream();
  }

  private record Case(JsonNode json, Map<String, TensorView> tensors) {
    private boolean has(String part, int index) {
      return tensors.containsKey(key(part, index));
    }

    private String key(String part, int index) {
      return "%s/%s%d".formatted(json.get("name").asString(), part, index);
    }

    private TensorView tensor(String part, int index) {
      return Objects.requireNonNull(tensors.get(key(part, index)), part);
    }

    private Tensor given(String part, int index) {
      TensorView view = tensor(part, index);
      return Tensor.wrap(view.segment(), view.dtype(), view.shape().extents());
    }

    void check() {
      Map<String, TensorType> types = new LinkedHashMap<>();
      Map<String, Tensor> inputs = new LinkedHashMap<>();
      Map<String, String> heads = new LinkedHashMap<>();
      List<String> wanted = new ArrayList<>();
      Graph graph = graph(types, inputs, heads, wanted);
      Graph whole = Gradients.DEFAULT.withHeads(heads).of(graph, types, List.copyOf(heads.keySet()), wanted)
        .withOutputs();
      try (Session session = Session.of(whole, SessionOptions.DEFAULT); var result = session.run(inputs)) {
        for (int i = 0; i < heads.size(); i++) {
          compare(result.get("result" + i), tensor("result", i), "result" + i);
        }
        for (String name : wanted) {
          int operand = Integer.parseInt(name.substring("operand".length()));
          compare(result.get(name + "/gradient"), tensor("gradient", operand), name);
        }
      }
    }

    private Graph graph(Map<String, TensorType> types, Map<String, Tensor> inputs, Map<String, String> heads,
      List<String> wanted) {
      var builder = new GraphBuilder(json.get("name").asString());
      List<NodeEntry> operands = new ArrayList<>();
      for (int i = 0; i < json.get("operands").asInt(); i++) {
        String name = "operand" + i;
        if (!has("operand", i)) {
          operands.add(Node.absent());
        } else if (has("gradient", i) && isDifferentiable(i)) {
          operands.add(builder.input(name, tensor("operand", i).type()));
          types.put(name, tensor("operand", i).type());
          inputs.put(name, given("operand", i));
          wanted.add(name);
        } else {
          operands.add(builder.constant(name, tensor("operand", i)));
        }
      }
      int results = json.get("results").asInt();
      for (int i = 0; i < results; i++) {
        builder.input("head" + i, tensor("head", i).type());
        types.put("head" + i, tensor("head", i).type());
        inputs.put("head" + i, given("head", i));
        heads.put("result" + i, "head" + i);
      }
      boolean statistics = attributes().getLong("training_mode", 0) == 1;
      List<NodeEntry> made = builder.applyForAll(json.get("operator").asString(), attributes(), statistics
        ? 3
        : results, operands.toArray(NodeEntry[]::new));
      for (int i = 0; i < results; i++) {
        builder.output("result" + i, made.get(i));
      }
      return builder.build();
    }

    /** Bounds, weights of classes and running statistics get no gradient, in PyTorch neither. */
    private boolean isDifferentiable(int operand) {
      TensorView gradient = tensor("gradient", operand);
      return LongStream.range(0, gradient.elementCount()).anyMatch(i -> gradient.doubleAt(i) != 0);
    }

    private Attributes attributes() {
      Map<String, AttributeValue> values = new LinkedHashMap<>();
      json.get("attributes").propertyNames().forEach(name -> values.put(name, value(json.get("attributes").get(name))));
      return Attributes.of(values);
    }

    private static AttributeValue value(JsonNode json) {
      if (json.isArray()) {
        List<Long> numbers = new ArrayList<>();
        json.forEach(number -> numbers.add(number.asLong()));
        return new AttributeValue.Ints(numbers);
      }
      return json.isString()
        ? new AttributeValue.Text(json.stringValue())
        : json.isIntegralNumber()
          ? new AttributeValue.Int(json.asLong())
          : new AttributeValue.Real((float) json.asDouble());
    }

    private static void compare(Tensor actual, TensorView expected, String what) {
      assertThat(actual.shape()).as(what).isEqualTo(expected.shape());
      TensorView view = actual.view();
      double scale = LongStream.range(0, expected.elementCount()).mapToDouble(i -> Math.abs(expected.doubleAt(i))).max()
        .orElse(0);
      for (long i = 0; i < expected.elementCount(); i++) {
        double error = Math.abs(view.doubleAt(i) - expected.doubleAt(i));
        assertThat(error).as("%s[%d]: %s, PyTorch %s", what, i, view.doubleAt(i), expected.doubleAt(i))
          .isLessThanOrEqualTo(RELATIVE * Math.max(1, scale));
      }
    }
  }
}
