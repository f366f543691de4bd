package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.resource.RandomState;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Sessions whose runs draw random numbers from a state. */
class RandomSessionTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(2);
  private static final Attributes SHAPE = Attributes.NONE.with("shape", new AttributeValue.Ints(List.of(8L)));
  private static final Attributes SEEDED = SHAPE.with("seed", new AttributeValue.Real(5));

  /** All random operators over one input, one of them with a seed of its own. */
  private static Graph graph() {
    var graph = new GraphBuilder("drawn");
    NodeEntry x = graph.input("x", TensorType.of(DType.FLOAT32, 2, 8));
    graph.output("bernoulli", graph.apply("Bernoulli", x));
    graph.output("dropout", graph.apply("Dropout", Attributes.NONE.with("training_mode", 1), x));
    graph.output("multinomial", graph.apply("Cast", Attributes.NONE.with("to", new AttributeValue.Text("float32")),
      graph.apply("Multinomial", Attributes.NONE.with("sample_size", 20), x)));
    graph.output("normal", graph.apply("RandomNormal", SHAPE));
    graph.output("normalLike", graph.apply("RandomNormalLike", x));
    graph.output("uniform", graph.apply("RandomUniform", SHAPE));
    graph.output("uniformLike", graph.apply("RandomUniformLike", x));
    graph.output("again", graph.apply("RandomUniform", SHAPE));
    graph.output("seeded", graph.apply("RandomUniform", SEEDED));
    graph.output("idle", graph.apply("Dropout", x));
    return graph.build();
  }

  private static Tensor halves() {
    float[] halves = new float[16];
    Arrays.fill(halves, 0.5f);
    return Tensor.of(halves, 2, 8);
  }

  private static Map<String, List<Float>> run(Session session) {
    try (Tensor x = halves(); Result result = session.run(Map.of("x", x))) {
      return floats(result);
    }
  }

  private static Map<String, List<Float>> floats(Result result) {
    Map<String, List<Float>> values = new TreeMap<>();
    for (String name : result.names()) {
      values.put(name, list(result.get(name).toFloatArray()));
    }
    return values;
  }

  private static List<Float> list(float[] numbers) {
    List<Float> list = new ArrayList<>();
    for (float number : numbers) {
      list.add(number);
    }
    return list;
  }

  @Test
  void eachRunTakesTheNextDrawsAndTheSameSeedTheSame() {
    var state = new RandomState(7);
    try (var session = Session.of(graph(), OPTIONS.withRandom(state));
      var other = Session.of(graph(), OPTIONS.withThreads(1).withRandom(new RandomState(7)))) {
      Map<String, List<Float>> first = run(session);
      Map<String, List<Float>> second = run(session);
      for (String name : first.keySet()) {
        boolean isFixed = name.equals("seeded") || name.equals("idle");
        assertThat(Objects.equals(second.get(name), first.get(name))).as(name).isEqualTo(isFixed);
      }
      assertThat(first.get("again")).isNotEqualTo(first.get("uniform"));
      assertThat(run(other)).isEqualTo(first);
      assertThat(run(other)).isEqualTo(second);
      assertThat(state.save()).containsExactly(7, 16);
      state.seed(7);
      assertThat(run(session)).isEqualTo(first);
      state.seed(8);
      assertThat(run(session).get("normal")).isNotEqualTo(first.get("normal"));
    }
  }

  @Test
  void usersSeeTheModelsOwnInputsOnly() {
    try (var session = Session.of(graph(), OPTIONS.withRandom(new RandomState(1)))) {
      assertThat(session.info().inputs()).containsOnlyKeys("x");
    }
  }

  @Test
  void refusedInputsTakeNoDraws() {
    var state = new RandomState(1);
    try (var session = Session.of(graph(), OPTIONS.withRandom(state));
      Tensor x = halves();
      Tensor numbers = Tensor.of(new long[] {1, 2}, 2)) {
      assertThatThrownBy(() -> session.run(Map.of("x", x, "random", numbers))).isInstanceOf(
        IllegalArgumentException.class).hasMessageContaining("model=[x]");
      assertThatThrownBy(() -> session.run(Map.of())).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
        "model=[x]");
      assertThat(state.save()).containsExactly(1, 0);
    }
  }

  @Test
  void runsOverArraysAndOnOtherThreadsDrawAsAllRuns() throws ExecutionException, InterruptedException {
    try (var session = Session.of(graph(), OPTIONS.withRandom(new RandomState(7)));
      var other = Session.of(graph(), OPTIONS.withRandom(new RandomState(7)));
      var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT);
      var _ = arrays.scope();
      Tensor x = halves()) {
      Map<String, List<Float>> first = run(session);
      var made = arrays.run(other, Map.of("x", arrays.full(0.5, DType.FLOAT32, 2, 8)));
      made.forEach((name, array) -> assertThat(list(array.toFloatArray())).as(name).isEqualTo(first.get(name)));
      Map<String, List<Float>> second = run(session);
      try (Result result = other.runAsync(Map.of("x", x)).get()) {
        assertThat(floats(result)).isEqualTo(second);
      }
    }
  }

  @Test
  void withoutAStateEachRunDrawsTheSame() {
    try (var session = Session.of(graph(), OPTIONS)) {
      assertThat(run(session)).isEqualTo(run(session));
    }
  }
}
