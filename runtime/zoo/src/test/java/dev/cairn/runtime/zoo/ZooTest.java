package dev.cairn.runtime.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.GraphValidator;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZooTest {
  private static final ZooOptions SHORT = ZooOptions.DEFAULT.withSequenceLength(5);

  static List<String> names() {
    return Zoo.names();
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
    "mlp; 535818; logits=float32[3x10]; Gemm=3 Relu=2",
    "lenet; 61706; logits=float32[3x10]; Conv=2 Flatten=1 Gemm=3 MaxPool=2 Relu=4",
    "lstm_lm; 4653200; logits=float32[3x7x10000]; Add=26 Concat=2 Gather=1 Gemm=15 Mul=40 Reshape=6 Sigmoid=40"
      + " Split=16 Squeeze=14 Tanh=28 Unsqueeze=14",
    "resnet18; 11689512; logits=float32[3x1000];"
      + " Add=8 BatchNormalization=20 Conv=20 Flatten=1 Gemm=1 GlobalAveragePool=1 MaxPool=1 Relu=17",
    "resnet50; 25557032; logits=float32[3x1000];"
      + " Add=16 BatchNormalization=53 Conv=53 Flatten=1 Gemm=1 GlobalAveragePool=1 MaxPool=1 Relu=49",
    "mobilenet_v2; 3504872; logits=float32[3x1000];"
      + " Add=10 BatchNormalization=52 Clip=35 Conv=52 Flatten=1 Gemm=1 GlobalAveragePool=1",
    "bert_base; 109482240; last_hidden_state=float32[3x7x768] pooled=float32[3x768];"
      + " Add=122 Cast=1 Div=24 Erf=12 Gather=4 Gemm=1 LayerNormalization=25 MatMul=96 Mul=25 Reshape=48 Softmax=12"
      + " Sub=1 Tanh=1 Transpose=48 Unsqueeze=1",
    "gpt2; 124439808; logits=float32[3x7x50257];"
      + " Add=49 Div=12 Gather=2 Gemm=49 LayerNormalization=25 MatMul=24 Mul=48 Pow=12 Reshape=146 Softmax=12"
      + " Split=12 Tanh=12 Transpose=48 Where=12"})
  void hasThePublishedSizeAndTheOperatorsThatExportersWrite(String name, long parameters, String results,
    String operators) {
    Graph graph = Zoo.build(name, ZooOptions.DEFAULT.withBatch(3).withSequenceLength(7));
    GraphValidator.validate(graph);
    assertEquals(parameters, Zoo.parameterCount(graph));
    assertEquals(results, outputTypes(graph, Map.of()));
    assertEquals(operators, operators(graph));
  }

  private static String operators(Graph graph) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Apply apply) {
        counts.merge(apply.operator(), 1, Integer::sum);
      }
    }
    return counts.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mlp", "lenet", "lstm_lm", "mobilenet_v2"})
  void weightsDependOnTheSeedAndNotOnTheBatch(String name) {
    requireWeightsOfTheSeed(name);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("names")
  void weightsOfAllModelsDependOnTheSeedAndNotOnTheBatch(String name) {
    requireWeightsOfTheSeed(name);
  }

  private static void requireWeightsOfTheSeed(String name) {
    Graph fixed = Zoo.build(name, SHORT);
    Map<String, TensorView> weights = weights(fixed);
    Map<String, TensorView> other = weights(Zoo.build(name, SHORT.withSeed(2)));
    assertEquals(Set.of(), sameBytes(weights, other));
    Graph open = Zoo.build(name, SHORT.withSymbolicBatch());
    Map<String, TensorView> same = weights(open);
    assertEquals(weights.keySet(), same.keySet());
    assertEquals(weights.keySet(), sameBytes(weights, same));

    Node first = open.inputs().get(0);
    assertTrue(first.toString().contains("[batch x "), first.toString());
    Shape shape = inferred(fixed, Map.of()).type(fixed.inputs().get(0).entry()).shape();
    assertEquals(outputTypes(fixed, Map.of()), outputTypes(open, Map.of(first.name(), shape)));
  }

  /** The names that have the same bytes in both. */
  private static Set<String> sameBytes(Map<String, TensorView> one, Map<String, TensorView> other) {
    Set<String> same = new TreeSet<>();
    one.forEach((name, value) -> {
      TensorView counterpart = other.get(name);
      if (counterpart != null && value.segment().mismatch(counterpart.segment()) == -1) {
        same.add(name);
      }
    });
    return same;
  }

  @Test
  void noTwoWeightsOfAModelAreAlike() {
    Map<Long, String> seen = new TreeMap<>();
    weights(Zoo.build("mobilenet_v2", SHORT)).forEach((name, value) -> {
      String before = seen.put(value.segment().get(ValueLayout.JAVA_LONG, 16), name);
      assertEquals(null, before, name);
    });
  }

  @Test
  void gpt2StoresItsTableOnceAndLooksBackOnly() {
    Graph graph = Zoo.build("gpt2", SHORT);
    long tables = weights(graph).values().stream().filter(v -> v.elementCount() == 50257L * 768).count();
    assertEquals(1, tables);
    assertEquals(2, graph.nodes().stream().filter(node -> node.inputs().stream()
      .anyMatch(entry -> entry.node().name().equals("wte/weight"))).count());
    Node mask = graph.nodes().stream().filter(node -> node.name().equals("causal_mask")).findFirst().orElseThrow();
    if (!(mask.kind() instanceof NodeKind.Constant(TensorView value))) {
      throw new AssertionError(mask);
    }
    for (int row = 0; row < 5; row++) {
      for (int column = 0; column < 5; column++) {
        assertEquals(column <= row ? 1 : 0, value.longAt(row * 5L + column), row + "," + column);
      }
    }
  }

  @Test
  void refusesWhatItDoesNotHave() {
    assertMessage("no such reference model: name=vgg known=[mlp,", () -> Zoo.build("vgg", SHORT));
    assertMessage("model=gpt2 sequenceLength=1025 positions=1024",
      () -> Zoo.build("gpt2", SHORT.withSequenceLength(1025)));
    assertMessage("model=bert_base sequenceLength=513 positions=512",
      () -> Zoo.build("bert_base", SHORT.withSequenceLength(513)));
    assertMessage("batch=0", () -> SHORT.withBatch(0));
    assertMessage("sequenceLength=0", () -> SHORT.withSequenceLength(0));
  }

  @Test
  void someModelsAreLayers() {
    assertTrue(Zoo.network("resnet18").parameters().containsKey("layer2.0.downsample.1.weight"));
    assertTrue(Zoo.network("lstm_lm").parameters().containsKey("rnn.weight_hh_l1"));
    assertMessage("name=mlp known=[lenet, lstm_lm, resnet18]", () -> Zoo.network("mlp"));
  }

  @Test
  void describesEveryModel() {
    for (String name : Zoo.names()) {
      assertFalse(Zoo.description(name).isBlank(), name);
    }
  }

  private static void assertMessage(String part, Runnable action) {
    var thrown = assertThrows(IllegalArgumentException.class, action::run);
    assertTrue(String.valueOf(thrown.getMessage()).contains(part), thrown.getMessage());
  }

  private static String outputTypes(Graph graph, Map<String, Shape> shapes) {
    GraphTypes types = inferred(graph, shapes);
    return graph.outputs().stream().map(o -> o.name() + "=" + types.type(o.entry())).collect(Collectors.joining(" "));
  }

  private static GraphTypes inferred(Graph graph, Map<String, Shape> shapes) {
    return new TypeInference(StandardOperators.table(), ValueEvaluator.NONE).infer(graph,
      InputBinding.ofShapes(graph, shapes));
  }

  /** The float32 constants with more than one element, by name. */
  private static Map<String, TensorView> weights(Graph graph) {
    Map<String, TensorView> weights = new LinkedHashMap<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Constant(TensorView value) && value.dtype().isFloat()
        && value.elementCount() > 1) {
        weights.put(node.name(), value);
      }
    }
    return weights;
  }
}
