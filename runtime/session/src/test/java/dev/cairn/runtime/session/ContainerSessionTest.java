package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.OptionalValue;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorSequence;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Strings, sequences and optionals through a session. */
class ContainerSessionTest {
  private static final TensorType ROW = TensorType.of(DType.FLOAT32, 2);

  private static DeclaredType declared(DeclaredType.Container container) {
    return new DeclaredType(DType.FLOAT32, List.of(), container);
  }

  private static Tensor row(float first, float second) {
    return Tensor.of(new float[] {first, second}, 2);
  }

  @Test
  void stringsGoInAndComeOut() {
    var graph = new GraphBuilder("greeting");
    NodeEntry names = graph.input("names", new DeclaredType(DType.STRING, List.of(new Dimension.Symbol("n"))));
    NodeEntry greeting = graph.constant("greeting", StringElements.of(List.of("Hello ")));
    graph.output("greetings", graph.apply("StringConcat", greeting, names));
    graph.output("same", graph.apply("Identity", names));
    graph.output("count", graph.apply("Size", names));
    try (Session session = Session.of(graph.build(), SessionOptions.DEFAULT);
      Result result = session.run(Map.of(
        "names", Tensor.of("Ann", "Zoë")))) {
      assertThat(result.get("greetings").toStringArray()).containsExactly("Hello Ann", "Hello Zoë");
      assertThat(result.get("same").toStringArray()).containsExactly("Ann", "Zoë");
      assertThat(result.get("count").toLongArray()).containsExactly(2);
      assertThat(session.unplannedReason().orElseThrow()).contains("outside every plan").contains("names");
      assertThatThrownBy(() -> result.get("count").toStringArray()).hasMessageContaining("wanted=string");
    }
    assertThat(Tensor.of(new String[] {"a", "b"}, 2, 1).shape().rank()).isEqualTo(2);
    assertThatThrownBy(() -> Tensor.of(new byte[8], DType.STRING, 1)).hasMessageContaining(
      "strings have no fixed size");
  }

  /** The two inputs have as many strings, so that only their values tell the results' shapes. */
  @Test
  void valuesOfStringsDecideShapes() {
    var graph = new GraphBuilder("words");
    NodeEntry x = graph.input("x", TensorType.of(DType.STRING, 2));
    graph.output("distinct", graph.apply("Unique", x));
    List<NodeEntry> words = graph.applyForAll("StringSplit", Attributes.NONE, 2, x);
    graph.output("words", words.get(0));
    graph.output("counts", words.get(1));
    try (Session session = Session.of(graph.build(), SessionOptions.DEFAULT)) {
      for (String second : new String[] {"a", "b c", "d e f", "b c"}) {
        try (Result result = session.run(Map.of("x", Tensor.of("a", second)))) {
          assertThat(result.get("distinct").toStringArray()).hasSize(second.equals("a") ? 1 : 2);
          long most = second.split(" ").length;
          assertThat(result.get("words").shape().extents()).containsExactly(2, most);
          assertThat(result.get("counts").toLongArray()).containsExactly(1, most);
        }
      }
    }
  }

  @Test
  void aVariableCannotHoldStrings() {
    var graph = new GraphBuilder("variable");
    assertThatThrownBy(() -> graph.variable("name", StringElements.of(List.of("a")))).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("a variable cannot hold strings: variable=name");
  }

  /** Appends {@code 2 x} to a sequence, and gives the element at a position. */
  private static Graph appending() {
    var graph = new GraphBuilder("appending");
    NodeEntry sequence = graph.input("sequence", declared(DeclaredType.Container.SEQUENCE));
    NodeEntry x = graph.input("x", ROW);
    NodeEntry position = graph.input("position", TensorType.of(DType.INT64));
    NodeEntry longer = graph.apply("SequenceInsert", sequence, graph.apply("Add", x, x));
    graph.output("longer", longer);
    graph.output("length", graph.apply("SequenceLength", longer));
    graph.output("element", graph.apply("SequenceAt", longer, position));
    return graph.build();
  }

  @Test
  void sequencesGoInAndComeOut() {
    try (Session session = Session.of(appending(), SessionOptions.DEFAULT);
      Tensor first = row(1, 2);
      Result result = session.run(Map.of("sequence", TensorSequence.of(first), "x", row(3, 4), "position", Tensor.of(
        new long[] {-1})))) {
      var longer = (TensorSequence) result.value("longer");
      assertThat(longer.dtype()).isEqualTo(DType.FLOAT32);
      assertThat(longer.tensors().stream().map(Tensor::toFloatArray)).containsExactly(new float[] {1, 2}, new float[] {
        6, 8});
      assertThat(result.get("length").toLongArray()).containsExactly(2);
      assertThat(result.get("element").toFloatArray()).containsExactly(6, 8);
      assertThatThrownBy(() -> result.get("longer")).hasMessageContaining("read it with value(name)");
    }
  }

  @Test
  void anOptionalMayHaveNothing() {
    var graph = new GraphBuilder("optional");
    NodeEntry given = graph.input("given", declared(DeclaredType.Container.OPTIONAL));
    graph.output("has", graph.apply("OptionalHasElement", given));
    graph.output("same", graph.apply("Identity", given));
    try (Session session = Session.of(graph.build(), SessionOptions.DEFAULT); Tensor x = row(1, 2)) {
      try (Result result = session.run(Map.of("given", OptionalValue.EMPTY))) {
        assertThat(result.get("has").toByteArray()).containsExactly(0);
        assertThat(result.value("same")).isEqualTo(OptionalValue.EMPTY);
      }
      try (Result result = session.run(Map.of("given", OptionalValue.of(x)))) {
        assertThat(result.get("has").toByteArray()).containsExactly(1);
        assertThat(result.value("same").tensors().getFirst().toFloatArray()).containsExactly(1, 2);
      }
      assertThatThrownBy(() -> session.run(Map.of("given", x))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an input is of another kind: input=given declared=optional of float32");
      assertThatThrownBy(() -> session.run(Map.of())).hasMessageContaining("an input is missing: input=given");
      assertThatThrownBy(() -> session.run(Map.of("given", OptionalValue.EMPTY, "more", OptionalValue.EMPTY)))
        .hasMessageContaining("no such input");
    }
  }

  @Test
  void aThousandRunsHoldNothingAndNeitherDoesAFailedOne() {
    try (Session session = Session.of(appending(), SessionOptions.DEFAULT);
      Tensor first = row(1, 2);
      Tensor x = row(3, 4);
      Tensor position = Tensor.of(new long[] {1});
      Tensor outside = Tensor.of(new long[] {7})) {
      var sequence = TensorSequence.of(first, first, first);
      session.run(Map.of("sequence", sequence, "x", x, "position", position)).close();
      long held = session.memoryStats().bytesInUse();
      for (int run = 0; run < 1_000; run++) {
        session.run(Map.of("sequence", sequence, "x", x, "position", position)).close();
      }
      assertThat(session.memoryStats().bytesInUse()).isEqualTo(held);
      assertThatThrownBy(() -> session.run(Map.of("sequence", sequence, "x", x, "position", outside))).isInstanceOf(
        InvalidGraph.class)
        .hasMessageContaining("SequenceAt: a position is outside the sequence: position=7 elements=4")
        .hasMessageContaining("node=SequenceAt");
      assertThat(session.memoryStats().bytesInUse()).isEqualTo(held);
    }
  }

  /** {@code sequence = []; for trip: sequence += [x + trip]}, and all of it side by side. */
  @Test
  void aLoopCarriesASequenceAndGivesBackWhatItDoesNotReturn() {
    var graph = new GraphBuilder("loop");
    NodeEntry trips = graph.input("trips", TensorType.of(DType.INT64));
    NodeEntry x = graph.input("x", ROW);
    var body = new ControlFixture("loop/body");
    NodeEntry trip = body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    NodeEntry sequence = body.parameter("sequence");
    NodeEntry captured = body.parameter("x");
    NodeEntry asFloat = Node.apply("loop/body/cast", "Cast", Attributes.NONE.with("to", new AttributeValue.Text(
      "float32")), List.of(trip)).entry();
    NodeEntry sum = body.apply("add", "Add", captured, asFloat);
    NodeEntry tripToo = body.apply("insert", "SequenceInsert", body.apply("insertSum", "SequenceInsert", sequence, sum),
      body.apply("unsqueezed", "Unsqueeze", asFloat, body.constant("axes", TensorView.ofLongs(0))));
    Graph inner = body.body(goesOn, tripToo);
    NodeEntry empty = graph.apply("SequenceEmpty");
    Node loop = ControlFixture.loop("loop", inner, 1, trips, Node.absent(), empty, x);
    graph.output("all", graph.apply("ConcatFromSequence", Attributes.NONE.with("axis", 0), loop.entry()));
    try (Session session = Session.of(graph.build(), SessionOptions.DEFAULT)) {
      try (Result result = session.run(Map.of("trips", Tensor.of(new long[] {3}), "x", row(10, 20)))) {
        assertThat(result.get("all").toFloatArray()).containsExactly(10, 20, 0, 11, 21, 1, 12, 22, 2);
      }
      long constants = session.memoryStats().bytesInUse();
      assertThatThrownBy(() -> session.run(Map.of("trips", Tensor.of(new long[] {0}), "x", row(1, 2)))).isInstanceOf(
        InvalidGraph.class).hasMessageContaining("ConcatFromSequence: the sequence is empty");
      session.run(Map.of("trips", Tensor.of(new long[] {9}), "x", row(10, 20))).close();
      assertThat(session.memoryStats().bytesInUse()).isEqualTo(constants).isLessThanOrEqualTo(256);
    }
  }

  @Test
  void elementsOfOneSequenceHaveOneElementType() {
    var graph = new GraphBuilder("mixed");
    NodeEntry a = graph.input("a", ROW);
    NodeEntry b = graph.input("b", TensorType.of(DType.INT64, 2));
    graph.output("y", graph.apply("SequenceConstruct", a, b));
    try (Session session = Session.of(graph.build(), SessionOptions.DEFAULT)) {
      assertThatThrownBy(() -> session.run(Map.of("a", row(1, 2), "b", Tensor.of(new long[] {1, 2}, 2)))).isInstanceOf(
        InvalidGraph.class).hasMessageContaining("sequence=float32 input1=int64");
      assertThat(session.memoryStats().bytesInUse()).isZero();
    }
    assertThatThrownBy(() -> new TensorSequence(DType.INT64, List.of(row(1, 2)))).hasMessageContaining(
      "tensors of one sequence have one element type: sequence=int64 tensor0=float32[2]");
  }

  /** Pieces of a tensor, one of them moved, side by side and stacked. */
  @Test
  void aSequenceOfKnownLengthIsDissolvedIntoAPlan() {
    var graph = new GraphBuilder("known");
    NodeEntry x = graph.input("x", TensorType.of(DType.FLOAT32, 4));
    NodeEntry pieces = graph.apply("SplitToSequence", x, graph.constant("lengths", TensorView.ofLongs(2, 2)));
    NodeEntry second = graph.apply("SequenceAt", pieces, graph.constant("one", TensorView.ofLong(-1)));
    NodeEntry moved = graph.apply("SequenceInsert", graph.apply("SequenceErase", pieces), second, graph.constant("zero",
      TensorView.ofLong(0)));
    graph.output("flat", graph.apply("ConcatFromSequence", Attributes.NONE.with("axis", 0), moved));
    graph.output("stacked", graph.apply("ConcatFromSequence", Attributes.NONE.with("axis", 0).with("new_axis", 1),
      moved));
    graph.output("length", graph.apply("SequenceLength", moved));
    graph.output("has", graph.apply("OptionalHasElement", graph.apply("Optional", second)));
    try (Session session = Session.of(graph.build(), SessionOptions.DEFAULT);
      Result result = session.run(Map.of("x",
        Tensor.of(new float[] {1, 2, 3, 4}, 4)))) {
      assertThat(session.unplannedReason()).isEmpty();
      assertThat(result.get("flat").toFloatArray()).containsExactly(3, 4, 1, 2);
      assertThat(result.get("stacked").shape().extents()).containsExactly(2, 2);
      assertThat(result.get("length").toLongArray()).containsExactly(2);
      assertThat(result.get("has").toByteArray()).containsExactly(1);
    }
  }

  /** As {@code SequenceMap} is read: a loop over the positions of a sequence. */
  @Test
  void aLoopOverAKnownSequenceBecomesItsTrips() {
    var graph = new GraphBuilder("map");
    NodeEntry a = graph.input("a", ROW);
    NodeEntry b = graph.input("b", ROW);
    NodeEntry both = graph.apply("SequenceConstruct", a, b);
    var body = new ControlFixture("map/body");
    NodeEntry trip = body.parameter("trip");
    NodeEntry goesOn = body.parameter("condition");
    NodeEntry results = body.parameter("results");
    NodeEntry captured = body.parameter("both");
    NodeEntry twice = body.apply("twice", "Neg", body.apply("at", "SequenceAt", captured, trip));
    Graph inner = body.body(goesOn, body.apply("insert", "SequenceInsert", results, twice));
    Node loop = ControlFixture.loop("map", inner, 1, graph.apply("SequenceLength", both), Node.absent(), graph.apply(
      "SequenceEmpty"), both);
    graph.output("y", graph.apply("ConcatFromSequence", Attributes.NONE.with("axis", 0), loop.entry()));
    try (Session session = Session.of(graph.build(), SessionOptions.DEFAULT);
      Result result = session.run(Map.of("a",
        row(1, 2), "b", row(3, 4)))) {
      assertThat(session.unplannedReason()).isEmpty();
      assertThat(result.get("y").toFloatArray()).containsExactly(-1, -2, -3, -4);
    }
  }
}
