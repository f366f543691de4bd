package dev.cairn.runtime.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.gradient.HostRun;
import dev.cairn.runtime.pass.gradient.Aggregation;
import dev.cairn.runtime.pass.gradient.GradientGraph;
import dev.cairn.runtime.pass.gradient.GradientOptions;
import dev.cairn.runtime.pass.gradient.MirrorChoice;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** G-17: gradients of whole networks, in {@code float32} and {@code float64}, however they are compiled. */
class GradientNetworksTest {
  private static final double STEP = 1e-6;
  /** The search for an order takes seconds where there are hundreds of steps. */
  private static final CompileOptions IN_ORDER = CompileOptions.DEFAULT.withReorder(false);

  static Set<String> networks() {
    return SmallNetworks.ALL.keySet();
  }

  private static Graph network(String name, DType dtype) {
    return known(SmallNetworks.ALL, name).apply(dtype);
  }

  private static <T> T known(Map<String, T> map, String name) {
    return Objects.requireNonNull(map.get(name), name);
  }

  private static Map<String, TensorView> inputs(Graph graph) {
    Map<String, TensorView> inputs = new HashMap<>();
    GraphFixture.inputTypes(graph).forEach((name, type) -> inputs.put(name, SmallNetworks.numbers(name, type)));
    return inputs;
  }

  private static GradientGraph gradients(Graph graph, Gradients how) {
    List<String> xs = new ArrayList<>(graph.variables().stream().map(Node::name).toList());
    graph.inputs().forEach(it -> xs.add(it.name()));
    return how.of(graph, GraphFixture.inputTypes(graph), List.of("loss"), xs);
  }

  private static Map<String, double[]> run(Graph graph, CompileOptions options) {
    Map<String, Tensor> tensors = new HashMap<>();
    inputs(graph).forEach((name, view) -> tensors.put(name, Tensor.copyOf(view)));
    try (Session session = Session.of(graph, SessionOptions.DEFAULT.withThreads(2).withCompile(options));
      Result result = session.run(tensors)) {
      Map<String, double[]> values = new LinkedHashMap<>();
      graph.outputs().forEach(it -> values.put(it.name(), numbers(result.get(it.name()).view())));
      return values;
    }
  }

  private static double[] numbers(TensorView view) {
    return LongStream.range(0, view.elementCount()).mapToDouble(view::doubleAt).toArray();
  }

  private static double norm(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value * value;
    }
    return Math.sqrt(sum);
  }

  /** A gradient that is zero but for roundings is compared with the largest one. */
  private static void requireNear(Map<String, double[]> found, Map<String, double[]> expected, double relative) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    double most = expected.values().stream().mapToDouble(GradientNetworksTest::norm).max().orElse(0);
    expected.forEach((name, values) -> {
      double[] apart = known(found, name).clone();
      for (int i = 0; i < apart.length; i++) {
        apart[i] -= values[i];
      }
      double scale = norm(values) < 1e-12 * most ? most : norm(values);
      assertThat(norm(apart)).as(name).isLessThanOrEqualTo(relative * scale);
    });
  }

  private static void requireSameBits(Map<String, double[]> found, Map<String, double[]> expected, String how) {
    expected.forEach((name, values) -> assertThat(found.get(name)).as("%s, %s", name, how).containsExactly(values));
  }

  /** The loss where a variable or input is moved along a direction. */
  private static double loss(Graph graph, String moved, TensorView direction, double by) {
    Map<String, TensorView> values = inputs(graph);
    graph.variables().forEach(it -> values.put(it.name(), SmallNetworks.numbers(it.name(), direction.type().withShape(
      shape(graph, it.name())))));
    TensorView at = HeapTensor.copyOf(known(values, moved));
    for (int i = 0; i < at.elementCount(); i++) {
      at.segment().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * i, at.doubleAt(i) + by * direction
        .doubleAt(i));
    }
    values.put(moved, at);
    return HostRun.of(List.of(graph.outputs().getFirst().entry()), values).getFirst().doubleAt(0);
  }

  private static Shape shape(Graph graph, String variable) {
    return graph.variables().stream().filter(it -> it.name().equals(variable)).map(it -> initial(it).shape())
      .findFirst().orElseThrow();
  }

  private static TensorView initial(Node variable) {
    return variable.kind() instanceof NodeKind.Variable(TensorView value) ? value : fail("not a variable: " + variable);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void gradientsAreDifferencesAlongADirection(String name) {
    Graph graph = network(name, DType.FLOAT64);
    Map<String, double[]> found = run(gradients(graph, Gradients.DEFAULT).withOutputs(), IN_ORDER);
    found.remove("loss");
    found.forEach((output, gradient) -> {
      String of = output.substring(0, output.length() - "/gradient".length());
      TensorType type = of.equals("x")
        ? known(inputs(graph), "x").type()
        : TensorType.of(DType.FLOAT64, shape(graph, of)
          .extents());
      TensorView direction = SmallNetworks.numbers("direction of " + of, type);
      double slope = 0;
      for (int i = 0; i < gradient.length; i++) {
        slope += gradient[i] * direction.doubleAt(i);
      }
      double difference = (loss(graph, of, direction, STEP) - loss(graph, of, direction, -STEP)) / (2 * STEP);
      assertThat(slope).as(output).isCloseTo(difference, within(1e-8 + 1e-6 * Math.abs(difference)));
    });
  }

  @ParameterizedTest
  @MethodSource("networks")
  void narrowAndSimplifiedGradientsAreNearThoseInFloat64NodeByNode(String name) {
    Graph wide = network(name, DType.FLOAT64);
    GradientGraph written = gradients(wide, Gradients.DEFAULT.withCompile(CompileOptions.DEFAULT.withSimplify(false)));
    List<NodeEntry> entries = new ArrayList<>(List.of(written.graph().outputs().getFirst().entry()));
    entries.addAll(written.gradients());
    List<TensorView> views = HostRun.of(entries, inputs(wide));
    Map<String, double[]> expected = new LinkedHashMap<>();
    List<Graph.Output> outputs = written.withOutputs().outputs();
    for (int i = 0; i < outputs.size(); i++) {
      expected.put(outputs.get(i).name(), numbers(views.get(i)));
    }
    requireNear(run(gradients(wide, Gradients.DEFAULT).withOutputs(), IN_ORDER), expected, 1e-10);
    Graph narrow = network(name, DType.FLOAT32);
    requireNear(run(gradients(narrow, Gradients.DEFAULT).withOutputs(), IN_ORDER), expected, 1e-5);
  }

  @Test
  void everyPlanGivesTheSameBits() {
    everyPlanGivesTheSameBits("mlp");
  }

  @ParameterizedTest
  @Tag("soak")
  @MethodSource("networks")
  void everyPlanGivesTheSameBits(String name) {
    Graph graph = gradients(network(name, DType.FLOAT32), Gradients.DEFAULT).withOutputs();
    Map<String, double[]> expected = run(graph, IN_ORDER);
    for (PlannerChoice planner : PlannerChoice.values()) {
      requireSameBits(run(graph, IN_ORDER.withPlanner(planner)), expected, planner.toString());
    }
    requireSameBits(run(graph, IN_ORDER.withFusion(FusionChoice.OFF)), expected, "fusion off");
    requireSameBits(run(graph, IN_ORDER.withInPlace(false)), expected, "in place off");
    requireSameBits(run(graph, IN_ORDER.withStreams(2)), expected, "two streams");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mlp", "lenet"})
  void orderAndFusionLeaveTheBits(String name) {
    Graph graph = gradients(network(name, DType.FLOAT32), Gradients.DEFAULT).withOutputs();
    Map<String, double[]> expected = run(graph, IN_ORDER);
    requireSameBits(run(graph, CompileOptions.DEFAULT), expected, "reordered");
    requireSameBits(run(graph, IN_ORDER.withFusion(FusionChoice.OFF)), expected, "fusion off");
  }

  /** The search for an order takes long. */
  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"resnet", "transformer", "lstm"})
  void orderAndFusionOfManyStepsLeaveTheBits(String name) {
    orderAndFusionLeaveTheBits(name);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void otherSumsAndCopiesGiveTheSameGradients(String name) {
    Graph graph = network(name, DType.FLOAT32);
    Map<String, double[]> expected = run(gradients(graph, Gradients.DEFAULT).withOutputs(), IN_ORDER);
    Gradients nnvm = Gradients.DEFAULT.withOptions(GradientOptions.DEFAULT.withAggregation(Aggregation.NNVM));
    requireNear(run(gradients(graph, nnvm).withOutputs(), IN_ORDER), expected, 1e-6);
    Gradients mirror = Gradients.DEFAULT.withOptions(GradientOptions.DEFAULT.withMirror(MirrorChoice.NNVM))
      .withCompile(IN_ORDER);
    requireNear(run(gradients(graph, mirror).withOutputs(), IN_ORDER), expected, 1e-6);
  }
}
