package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.integer;
import static dev.cairn.runtime.onnx.Models.ints;
import static dev.cairn.runtime.onnx.Models.node;
import static dev.cairn.runtime.onnx.Models.real;
import static dev.cairn.runtime.onnx.Models.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Operators as opsets 1 to 6 defined them give the values of the same computation written for a later opset, which ONNX
 * Runtime computes; and those of the old file where ONNX Runtime runs that.
 */
class EarlyOpsetsTest {
  private static final float CLOSE = 1e-5f;

  @TempDir
  private Path folder;

  /** A computation of {@code y}, as an old opset and as a later one writes it. */
  private record Case(String name, long opset, List<NodeProto> old, long current, List<NodeProto> now,
    Map<String, long[]> inputs) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final class Cases {
    private final List<Case> all = new ArrayList<>();
    private Map<String, long[]> inputs = Map.of();

    /** Operands of the cases that follow, in turn a name and a shape. */
    Cases of(Object... namesAndShapes) {
      inputs = new LinkedHashMap<>();
      for (int i = 0; i < namesAndShapes.length; i += 2) {
        inputs.put((String) namesAndShapes[i], (long[]) namesAndShapes[i + 1]);
      }
      return this;
    }

    Cases same(long opset, NodeProto old, NodeProto... now) {
      return same(opset, List.of(old), 8, now);
    }

    Cases same(long opset, List<NodeProto> old, long current, NodeProto... now) {
      String operands = inputs.values().stream().map(Arrays::toString).collect(Collectors.joining(" "));
      all.add(
        new Case("%s-%d %s %s".formatted(old.getLast().getOpType(), opset, old.getLast().getAttributeList().stream()
          .map(AttributeProto::getName).toList(), operands), opset, old, current, List.of(now), inputs));
      return this;
    }
  }

  private static long[] shape(long... extents) {
    return extents;
  }

  static List<Case> cases() {
    var cases = new Cases();
    stretched(cases);
    shaped(cases);
    normalized(cases);
    recurrent(cases);
    return cases.all;
  }

  private static void stretched(Cases cases) {
    AttributeProto broadcast = integer("broadcast", 1);
    for (String operator : List.of("Add", "Sub", "Mul", "Div")) {
      String call = operator + "(x, b)";
      cases.of("x", shape(2, 3, 4, 5), "b", shape(3, 4))
        .same(6, node("y = " + call, broadcast, integer("axis", 1)), unsqueezed("b", 2), node("y = " + operator
          + "(x, b_2)"));
      cases.of("x", shape(2, 3, 4, 5), "b", shape(4, 5)).same(6, node("y = " + call, broadcast), node("y = " + call));
      cases.of("x", shape(2, 3), "b", shape(2, 3)).same(5, node("y = " + call, ints("consumed_inputs", 0, 0)), node(
        "y = " + call));
    }
    NodeProto positive = node("p = Abs(x)");
    cases.of("x", shape(2, 3, 4), "b", shape(2)).same(6, List.of(positive, node("y = Pow(p, b)", broadcast, integer(
      "axis", 0))), 8, positive, unsqueezed("b", 1, 2), node("y = Pow(p, b_2)"));
    cases.of("x", shape(2, 3, 4), "b", shape(1)).same(1, node("y = Add(x, b)", broadcast, integer("axis", 0)), node(
      "y = Add(x, b)"));
    cases.of("x", shape(2, 3, 4), "b", shape(1, 1)).same(1, node("y = Add(x, b)", broadcast, integer("axis", 2)), node(
      "y = Add(x, b)"));
    cases.of("x", shape(2, 3, 4), "b", shape(4)).same(1, node("y = Add(x, b)", broadcast, integer("axis", -1)), node(
      "y = Add(x, b)"));
    cases.of("x", shape(2, 3, 4), "b", shape(3)).same(1, node("y = Add(x, b)", broadcast, integer("axis", -2)),
      unsqueezed("b", 1), node("y = Add(x, b_2)"));
    cases.of("x", shape(3, 4), "b", shape(3));
    NodeProto number = node("y = Cast(c)", integer("to", 1));
    for (String operator : List.of("Greater", "Less")) {
      cases.same(1, List.of(node("c = " + operator + "(x, b)", broadcast, integer("axis", 0)), numberOfOpset1()), 9,
        unsqueezed("b", 1), node("c = " + operator + "(x, b_2)"), number);
    }
    NodeProto whole = node("i = Cast(x)", integer("to", 6));
    NodeProto other = node("j = Cast(b)", integer("to", 6));
    cases.same(6, List.of(whole, other, node("c = Equal(i, j)", broadcast, integer("axis", 0)), number), 9, whole,
      other,
      unsqueezed("j", 1), node("c = Equal(i, j_2)"), number);
    NodeProto flag = node("i = Cast(x)", integer("to", 9));
    NodeProto otherFlag = node("j = Greater(b, zero)");
    for (String operator : List.of("And", "Or", "Xor")) {
      cases.same(6, List.of(node("zero = Sub(b, b)"), flag, otherFlag, node("c = " + operator + "(i, j)", broadcast,
        integer("axis", 0)), number), 9, node("zero = Sub(b, b)"), flag, otherFlag, unsqueezed("j", 1), node(
          "c = "
            + operator + "(i, j_2)"),
        number);
    }
    cases.of("x", shape(2, 3), "w", shape(3, 4), "b", shape(4)).same(6, node("y = Gemm(x, w, b)", broadcast, real(
      "beta", 0.5f)), node("y = Gemm(x, w, b)", real("beta", 0.5f)));
    cases.of("x", shape(2, 3), "w", shape(4, 3), "b", shape(2, 4)).same(1, node("y = Gemm(x, w, b)", integer("transB",
      1)), node("y = Gemm(x, w, b)", integer("transB", 1)));
    cases.of("x", shape(2, 3, 4, 4), "b", shape(3)).same(6, node("y = PRelu(x, b)"), unsqueezed("b", 1, 2), node(
      "y = PRelu(x, b_2)"));
    cases.of("x", shape(2, 3, 4), "b", shape(1)).same(1, node("y = PRelu(x, b)", ints("consumed_inputs", 0, 0)), node(
      "y = PRelu(x, b)"));
    cases.of("x", shape(2, 3, 4), "b", shape(3, 1)).same(6, node("y = PRelu(x, b)"), node("y = PRelu(x, b)"));
  }

  private static NodeProto numberOfOpset1() {
    return node("y = Cast(c)", text("to", "FLOAT"));
  }

  private static NodeProto unsqueezed(String value, long... axes) {
    return node(value + "_2 = Unsqueeze(" + value + ")", ints("axes", axes));
  }

  private static void shaped(Cases cases) {
    cases.of("x", shape(2, 3, 4))
      .same(1, node("y = Reshape(x)", ints("shape", 0, -1), ints("consumed_inputs", 0)), node("y = Flatten(x)"))
      .same(4, node("y = Reshape(x)", ints("shape", 4, 6)), node("t = Constant()", Models.tensor("value", Models.longs(
        "t", 4, 6))), node("y = Reshape(x, t)"))
      .same(1, node("y = Concat(x, x)"), node("y = Concat(x, x)", integer("axis", 1)))
      .same(3, node("y = Concat(x, x)", integer("axis", 2)), node("y = Concat(x, x)", integer("axis", 2)))
      .same(1, node("y = Pad(x)", ints("paddings", 0, 1, 0, 1, 0, 2), real("value", 2)), node("y = Pad(x)", ints("pads",
        0, 1, 0, 1, 0, 2), real("value", 2)))
      .same(2, node("y = Pad(x)", ints("pads", 0, 1, 0, 1, 0, 2), text("mode", "edge")), node("y = Pad(x)", ints("pads",
        0, 1, 0, 1, 0, 2), text("mode", "edge")))
      .same(1, List.of(node("i = Cast(x)", text("to", "INT32")), node("y = Cast(i)", text("to", "FLOAT"))), 9, node(
        "i = Cast(x)", integer("to", 6)), node("y = Cast(i)", integer("to", 1)))
      .same(1, List.of(node("i = Cast(x)", text("to", "DOUBLE")), node("y = Cast(i)", text("to", "FLOAT"))), 9, node(
        "y = Identity(x)"))
      .same(1,
        List.of(node("a, b = Split(x)", ints("split", 1, 3), integer("axis", 2)), node("y = Concat(b, a)", integer(
          "axis", 2))),
        8, node("a, b = Split(x)", ints("split", 1, 3), integer("axis", 2)), node("y = Concat(b, a)",
          integer("axis", 2)))
      .same(1, List.of(node("n = Constant()", Models.tensor("value", Models.floats("n", 1, 3))), node(
        "a, b = Split(x, n)", integer("axis", 2)), node("y = Concat(b, a)", integer("axis", 2))), 8, node(
          "a, b = Split(x)", ints("split", 1, 3), integer("axis", 2)),
        node("y = Concat(b, a)", integer("axis", 2)))
      .same(1, List.of(constant("n", 3), constant("a", 1), node("y = Tile(x, n, a)")), 8, node("t = Constant()", Models
        .tensor("value", Models.longs("t", 1, 3, 1))), node("y = Tile(x, t)"))
      .same(1, List.of(constant("n", 2), constant("a", -1), node("y = Tile(x, n, a)")), 8, node("t = Constant()", Models
        .tensor("value", Models.longs("t", 1, 1, 2))), node("y = Tile(x, t)"))
      .same(1, node("y = Slice(x)", ints("starts", 1), ints("ends", 3), ints("axes", 1)), node("y = Slice(x)", ints(
        "starts", 1), ints("ends", 3), ints("axes", 1)))
      .same(1, node("y = Squeeze(x)"), node("y = Squeeze(x)"))
      .same(1, node("y = Unsqueeze(x)", ints("axes", 0, 2)), node("y = Unsqueeze(x)", ints("axes", 0, 2)))
      .same(1, List.of(node("y, i = TopK(x)", integer("k", 2))), 8, node("y, i = TopK(x)", integer("k", 2)))
      .same(1, node("y = Clip(x)", real("max", 0.25f), ints("consumed_inputs", 0)), node("y = Clip(x)", real("max",
        0.25f)))
      .same(1, node("y = Selu(x)", ints("consumed_inputs", 0)),
        node("y = Selu(x)", real("alpha", 1.6732f), real("gamma",
          1.0507f)))
      .same(1, node("y = Selu(x)", real("alpha", 2)), node("y = Selu(x)", real("alpha", 2), real("gamma", 1.0507f)))
      .same(3, node("y = Softmax(x)"), node("y = Softmax(x)"))
      .same(3, node("y = Softmax(x)", integer("axis", 2)), node("y = Softmax(x)", integer("axis", 2)))
      .same(1, node("y = ReduceMean(x)", ints("axes", 1), integer("keepdims", 0)),
        node("y = ReduceMean(x)", ints("axes",
          1), integer("keepdims", 0)))
      .same(1, node("y = Max(x, x)", ints("consumed_inputs", 0, 0)), node("y = Max(x, x)"));
    cases.of("x", shape(1, 2, 3, 4))
      .same(1, node("y = Upsample(x)", real("height_scale", 2), real("width_scale", 3)), node("y = Upsample(x)", reals(
        "scales", 1, 1, 2, 3)))
      .same(6, node("y = Upsample(x)", real("height_scale", 2), real("width_scale", 1.5f), text("mode", "bilinear")),
        node(
          "y = Upsample(x)", reals("scales", 1, 1, 2, 1.5f), text("mode", "linear")))
      .same(1, node("y = LpPool(x)", ints("kernel_shape", 2, 2), real("p", 3)),
        node("y = LpPool(x)", ints("kernel_shape",
          2, 2), integer("p", 3)))
      .same(
        1, node("y = LpPool(x)", ints("kernel_shape", 2, 2), ints("strides", 1, 2), ints("pads", 0, 1, 1, 0), real("p",
          1.5f)),
        node("a = Abs(x)"), constant("e", 1.5f), node("b = Pow(a, e)"), node("m = AveragePool(b)", ints(
          "kernel_shape", 2, 2), ints("strides", 1, 2), ints("pads", 0, 1, 1, 0), integer("count_include_pad", 1)),
        constant("n", 4), node("s = Mul(m, n)"), constant("r", 2 / 3f), node("y = Pow(s, r)"))
      .same(1, node("y = GlobalLpPool(x)"), node("y = GlobalLpPool(x)"))
      .same(1, node("y = GlobalLpPool(x)", real("p", 1)), node("y = GlobalLpPool(x)", integer("p", 1)))
      .same(1, node("y = GlobalLpPool(x)", real("p", 1.5f)), node("a = Abs(x)"), constant("e", 1.5f), node(
        "b = Pow(a, e)"), node("s = ReduceSum(b)", ints("axes", 2, 3)), constant("r", 2 / 3f), node("y = Pow(s, r)"))
      .same(1, node("y = AveragePool(x)", ints("kernel_shape", 2, 2), ints("pads", 1, 1, 0, 0)), node(
        "y = AveragePool(x)", ints("kernel_shape", 2, 2), ints("pads", 1, 1, 0, 0)))
      .same(1, node("y = MaxPool(x)", ints("kernel_shape", 2, 2)), node("y = MaxPool(x)", ints("kernel_shape", 2, 2)))
      .same(1, List.of(node("y = MeanVarianceNormalization(x)", integer("across_channels", 1))), 7, node(
        "y = MeanVarianceNormalization(x)", integer("across_channels", 1)))
      .same(1, List.of(node("y = MeanVarianceNormalization(x)", integer("normalize_variance", 0))), 7, node(
        "y = MeanVarianceNormalization(x)", integer("normalize_variance", 0)));
  }

  private static AttributeProto reals(String name, float... values) {
    var attribute = AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.FLOATS);
    for (float value : values) {
      attribute.addFloats(value);
    }
    return attribute.build();
  }

  private static NodeProto constant(String name, float value) {
    return node(name + " = Constant()", Models.tensor("value", Models.floats(name, value)));
  }

  private static void normalized(Cases cases) {
    AttributeProto test = integer("is_test", 1);
    NodeProto positive = node("v = Abs(r)");
    String call = "y = BatchNormalization(x, s, b, m, v)";
    cases.of("x", shape(2, 3, 4, 4), "s", shape(3), "b", shape(3), "m", shape(3), "r", shape(3))
      .same(1, List.of(positive, node(call, test, ints("consumed_inputs", 0, 0, 0, 1, 1), real("epsilon", 0.01f), real(
        "momentum", 0.5f))), 9, positive, node(call, real("epsilon", 0.01f)))
      .same(6, List.of(positive, node(call, test, integer("spatial", 1))), 9, positive, node(call))
      .same(6, List.of(positive, node(call)), 9, positive, node(call))
      .same(6, List.of(positive, node("n, mean, var = BatchNormalization(x, s, b, m, v)", integer("is_test", 0), real(
        "momentum", 0.75f)), node("u = Add(mean, var)"), node("y = Concat(s, u)", integer("axis", 0))), 15, positive,
        node(
          "n, mean, var = BatchNormalization(x, s, b, m, v)", integer("training_mode", 1), real("momentum", 0.75f)),
        node(
          "u = Add(mean, var)"),
        node("y = Concat(s, u)", integer("axis", 0)))
      .same(6, List.of(positive, node(call, integer("is_test", 0))), 15, positive, node(
        "y, k, l = BatchNormalization(x, s, b, m, v)", integer("training_mode", 1)));
    cases.of("x", shape(2, 3, 4), "s", shape(3, 4), "b", shape(3, 4), "m", shape(3, 4), "r", shape(3, 4))
      .same(6, List.of(positive, node(call, test, integer("spatial", 0))), 8, positive,
        node(call, integer("spatial", 0)))
      .same(8, List.of(positive, node(call, integer("spatial", 0))), 8, positive, node(call, integer("spatial", 0)))
      .same(6, List.of(positive, node(call, integer("is_test", 0), integer("spatial", 0))), 8, node(
        "a = ReduceMean(x)", ints("axes", 0)), node("d = Sub(x, a)"), node("q = Mul(d, d)"),
        node("c = ReduceMean(q)", ints(
          "axes", 0)),
        constant("e", 1e-5f), node("f = Add(c, e)"), node("g = Sqrt(f)"), node("h = Div(d, g)"), node(
          "i = Mul(h, s)"),
        node("y = Add(i, b)"));
    cases.of("x", shape(2, 3))
      .same(6, node("y = Dropout(x)", test, real("ratio", 0.25f)), node("y = Identity(x)"))
      .same(1, node("y = Dropout(x)", ints("consumed_inputs", 0)), node("y = Identity(x)"))
      .same(6, List.of(node("d, m = Dropout(x)", test), node("y = Add(x, m)")), 8, node("d, m = Dropout(x)"), node(
        "y = Add(x, m)"))
      .same(10, List.of(node("d, m = Dropout(x)"), node("n = Cast(m)", integer("to", 1)), node("y = Add(x, n)")), 10,
        node(
          "d, m = Dropout(x)"),
        node("n = Cast(m)", integer("to", 1)), node("y = Add(x, n)"));
    cases.of("x", shape(2, 3, 4), "s", shape(3), "b", shape(3)).same(1, node("y = InstanceNormalization(x, s, b)", ints(
      "consumed_inputs", 0)), node("y = InstanceNormalization(x, s, b)"));
  }

  private static void recurrent(Cases cases) {
    Map<String, Integer> gates = Map.of("RNN", 1, "GRU", 3, "LSTM", 4);
    gates.forEach((operator, count) -> cases.of("x", shape(3, 2, 4), "w", shape(1, 5L * count, 4), "r", shape(1, 5L
      * count, 5), "b", shape(1, 10L * count))
      .same(1, node("y = " + operator + "(x, w, r, b)", integer("hidden_size", 5),
        integer("output_sequence", 1)), node("y = " + operator + "(x, w, r, b)", integer("hidden_size", 5)))
      .same(3, node(
        ", y = " + operator + "(x, w, r, b)", integer("hidden_size", 5), integer("output_sequence", 0)),
        node(", y = "
          + operator + "(x, w, r, b)", integer("hidden_size", 5))));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void computesWhatTheLaterFormDoes(Case given) throws IOException, OrtException {
    Map<String, TensorView> values = new HashMap<>();
    var random = new SplittableRandom(given.name.hashCode());
    given.inputs.forEach((name, extents) -> values.put(name, random(random, extents)));
    Path file = Models.save(model(given.current, given.now, given.inputs), folder);
    TensorView wanted = Oracle.run(file, values).getFirst();
    ModelProto old = model(given.opset, given.old, given.inputs);
    assertSame(wanted, old, values);
    // As files were before they could say an operator set, or the kinds of attributes.
    if (given.opset == 1) {
      ModelProto.Builder first = old.toBuilder().setIrVersion(1).clearOpsetImport();
      first.getGraphBuilder().getNodeBuilderList().forEach(node -> node.getAttributeBuilderList().forEach(
        AttributeProto.Builder::clearType));
      assertSame(wanted, first.build(), values);
    }
    try {
      TensorView own = Oracle.run(Models.save(old, folder), values).getFirst();
      assertSame(own, old, values);
    } catch (OrtException e) {
      assertThat(given.opset).as("ONNX Runtime runs opsets from 7 on: %s", e).isLessThan(7);
    }
  }

  private static TensorView random(SplittableRandom random, long... extents) {
    float[] values = new float[(int) Shape.of(extents).elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return TensorView.ofFloats(Shape.of(extents), values);
  }

  private static ModelProto model(long opset, List<NodeProto> nodes, Map<String, long[]> inputs) {
    GraphProto.Builder graph = Models.graph(nodes.toArray(NodeProto[]::new));
    inputs.forEach((name, extents) -> graph.addInput(Models.value(name, DType.FLOAT32, extents)));
    return Models.model(opset).setGraph(graph).build();
  }

  private void assertSame(TensorView wanted, ModelProto model, Map<String, TensorView> values) {
    Map<String, Tensor> inputs = new HashMap<>();
    values.forEach((name, view) -> inputs.put(name, Tensor.copyOf(view)));
    try (Session session = Session.of(Models.read(model, folder), SessionOptions.DEFAULT);
      Result result = session.run(inputs)) {
      assertEquals(wanted.shape(), result.get("y").shape());
      assertThat(result.get("y").toFloatArray()).containsExactly(Models.floats(wanted), org.assertj.core.data.Offset
        .offset(CLOSE));
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }

  /** Operators of one shape with the attribute that tells nothing, by themselves. */
  static Stream<String> operatorsOfOneShape() throws IOException {
    Set<String> own = new TreeSet<>();
    cases().forEach(it -> own.add(it.old.getLast().getOpType()));
    return endedAttributes().entrySet().stream().filter(it -> it.getValue().contains("consumed_inputs")).map(
      Map.Entry::getKey).filter(it -> !own.contains(it));
  }

  @ParameterizedTest
  @MethodSource("operatorsOfOneShape")
  void consumedInputsTellNothing(String operator) throws IOException, OrtException {
    OperatorDefinition row = Models.operators().get(operator);
    String operands = "x, ".repeat(row.minInputs() - 1) + "x";
    // Positive, since logarithms and roots are among the operators.
    Map<String, TensorView> values = Map.of("x",
      TensorView.ofFloats(Shape.of(2, 3), new float[] {0.1f, 2, 0.75f, 3, 1.5f,
        0.25f}));
    Map<String, long[]> inputs = Map.of("x", shape(2, 3));
    TensorView wanted = Oracle
      .run(Models.save(model(8, List.of(node("y = %s(%s)".formatted(operator, operands))), inputs),
        folder), values)
      .getFirst();
    assertSame(wanted, model(1, List.of(node("y = %s(%s)".formatted(operator, operands), ints("consumed_inputs", 0))),
      inputs), values);
  }

  /** The attributes by operator that opset 6 or an earlier one had last, from the table of all attributes. */
  private static Map<String, Set<String>> endedAttributes() throws IOException {
    Map<String, Set<String>> ended = new LinkedHashMap<>();
    try (InputStream in = OnnxReader.class.getResourceAsStream("decode/attributes.txt")) {
      new String(Objects.requireNonNull(in, "attributes.txt").readAllBytes(), StandardCharsets.UTF_8).lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> {
          String[] words = line.split(" ", -1);
          for (String word : words) {
            if (!words[0].contains("::") && word.matches("\\w+:1-[1-6]")) {
              ended.computeIfAbsent(words[0], _ -> new LinkedHashSet<>()).add(word.substring(0, word.indexOf(':')));
            }
          }
        });
    }
    return ended;
  }

  /** Each attribute of opsets 1 to 6 alone is in a case. */
  @Test
  void everyEndedAttributeIsCompared() throws IOException {
    Map<String, Set<String>> missing = endedAttributes();
    for (Case given : cases()) {
      for (NodeProto node : given.old) {
        Set<String> names = missing.getOrDefault(node.getOpType(), new TreeSet<>());
        node.getAttributeList().forEach(attribute -> names.remove(attribute.getName()));
      }
    }
    operatorsOfOneShape().toList().forEach(it -> missing.getOrDefault(it, new TreeSet<>()).remove("consumed_inputs"));
    missing.values().forEach(it -> it.remove("consumed_inputs"));
    missing.values().removeIf(Set::isEmpty);
    assertThat(missing).isEmpty();
  }

  @Test
  void dropoutThatIsNoTestDropsElements() {
    String graph = Models
      .read(model(6, List.of(node("y = Dropout(x)", integer("is_test", 0), real("ratio", 0.25f))), Map
        .of("x", shape(2, 3))), folder)
      .toString();
    assertThat(graph).containsPattern("Dropout\\{draw=\\d+, training_mode=1\\}\\(x, dropout_y/ratio\\)");
  }
}
