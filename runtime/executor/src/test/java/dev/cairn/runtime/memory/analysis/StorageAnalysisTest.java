package dev.cairn.runtime.memory.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.executor.RandomGraphs;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Constraints;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageAnalysisTest {
  private static final OperatorTable OPERATORS = StandardOperators.table();
  private static final long ALIGNMENT = 64;

  private final GraphFixture fixture = new GraphFixture();

  /** A storage with what it was made from. */
  private record Analysed(IndexedGraph graph, GraphTypes types, Storage storage) {
    Place place(NodeEntry entry) {
      return storage.places().get(graph.entryId(entry));
    }

    Buffer buffer(NodeEntry entry) {
      return storage.problem().buffer(((Place.Planned) place(entry)).buffer());
    }
  }

  private static Analysed analyse(Graph graph, OperatorTable operators) {
    GraphTypes types = new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(graph, GraphFixture.inputTypes(graph));
    var indexed = new IndexedGraph(graph);
    // Nodes whose name ends in W want 100 bytes.
    return new Analysed(indexed, types,
      StorageAnalysis.analyse(indexed, types, operators, node -> node.name().endsWith("W")
        ? 100
        : 0, ALIGNMENT));
  }

  private Analysed analyse(NodeEntry... outputs) {
    return analyse(fixture.graph(outputs), OPERATORS);
  }

  @Test
  void aChainRunsInOneBufferButNeverInTheCallersInput() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry b = fixture.apply("b", "Relu", a);
    NodeEntry c = fixture.apply("c", "Relu", b);
    Analysed it = analyse(c);
    assertThat(it.place(x)).isEqualTo(new Place.Input(0));
    assertThat(it.storage().problem().size()).isEqualTo(1);
    assertThat(it.storage().inPlace()).isEqualTo(2);
    assertThat(List.of(it.place(a), it.place(b), it.place(c))).containsOnly(new Place.Planned(0));
    assertThat(it.buffer(a)).isEqualTo(new Buffer("a", 96, new Lifetime(0, 3), ALIGNMENT, "float32", true, true,
      Constraints.NONE));
    assertThat(it.storage().separateBytes()).isEqualTo(3 * 96);
  }

  @Test
  void withoutInPlaceEachResultHasItsBufferAndItsLifetime() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry b = fixture.apply("b", "Relu", a);
    NodeEntry c = fixture.apply("c", "Add", a, b);
    Analysed it = analyse(fixture.graph(c), OPERATORS.withoutInPlace());
    assertThat(it.storage().inPlace()).isZero();
    assertThat(it.storage().problem().buffers()).extracting(Buffer::name).containsExactly("a", "b", "c");
    assertThat(it.storage().problem().buffers()).extracting(Buffer::lifetime).containsExactly(new Lifetime(0, 3),
      new Lifetime(
        1, 3),
      new Lifetime(2, 3));
    assertThat(it.storage().problem().buffers()).extracting(Buffer::output).containsExactly(false, false, true);
  }

  @Test
  void anInputThatIsReadLaterKeepsItsBytes() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry b = fixture.apply("b", "Tanh", a);
    NodeEntry c = fixture.apply("c", "Add", a, b);
    Analysed it = analyse(c);
    assertThat(it.place(b)).isNotEqualTo(it.place(a));
    assertThat(it.place(c)).as("the first operand dies here").isEqualTo(it.place(a));
  }

  @Test
  void anAliasIsNoStepAndLengthensTheLifeOfItsRoot() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry flat = fixture.apply("flat", "Reshape", a, fixture.longs("shape", 24));
    NodeEntry b = fixture.apply("b", "Tanh", a);
    NodeEntry c = fixture.apply("c", "Relu", flat);
    Analysed it = analyse(b, c);
    assertThat(it.storage().steps()).extracting(Node::name).containsExactly("a", "b", "c");
    assertThat(it.place(flat)).isEqualTo(it.place(a));
    assertThat(it.place(b)).as("flat is read after b").isNotEqualTo(it.place(a));
    assertThat(it.place(c)).as("the last reader of the bytes").isEqualTo(it.place(a));
  }

  @Test
  void anAliasOfAnInputOrAConstantLiesWhereThatLies() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry w = fixture.constant("w", TensorView.ofFloats(Shape.of(2), 1, 2));
    NodeEntry flat = fixture.apply("flat", "Reshape", x, fixture.longs("shape", 24));
    NodeEntry column = fixture.apply("column", "Reshape", w, fixture.longs("shape2", 2, 1));
    Analysed it = analyse(flat, column, x);
    assertThat(it.storage().steps()).isEmpty();
    assertThat(it.storage().problem().size()).isZero();
    assertThat(it.place(flat)).isEqualTo(new Place.Input(0));
    assertThat(it.place(column)).isEqualTo(it.place(w));
    assertThat(it.storage().constants()).contains(w.node());
  }

  @Test
  void anOutputIsNeverWrittenOver() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry flat = fixture.apply("flat", "Reshape", a, fixture.longs("shape", 24));
    NodeEntry b = fixture.apply("b", "Tanh", a);
    Analysed it = analyse(flat, b);
    assertThat(it.place(b)).isNotEqualTo(it.place(a));
    assertThat(it.buffer(a).output()).isTrue();
    assertThat(it.buffer(a).lifetime()).isEqualTo(new Lifetime(0, 2));
  }

  @Test
  void aBroadcastOperandIsNotWrittenOver() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry row = fixture.input("row", "float32[1x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry r = fixture.apply("r", "Relu", row);
    NodeEntry sum = fixture.apply("sum", "Add", r, a);
    Analysed it = analyse(sum);
    assertThat(it.place(sum)).as("the second operand has the result's shape").isEqualTo(it.place(a));
  }

  @Test
  void aSquareRunsInPlaceButNotOverItsOwnBroadcast() {
    NodeEntry x = fixture.input("x", "float32[1x6]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry square = fixture.apply("square", "Mul", a, a);
    Analysed it = analyse(square);
    assertThat(it.place(square)).isEqualTo(it.place(a));

    var other = new GraphFixture();
    NodeEntry v = other.apply("v", "Relu", other.input("y", "float32[6x1]"));
    NodeEntry row = other.apply("row", "Reshape", v, other.longs("shape", 1, 6));
    NodeEntry outer = other.apply("outer", "Mul", v, row);
    Analysed table = analyse(other.graph(outer), OPERATORS);
    assertThat(table.place(outer)).isNotEqualTo(table.place(v));
  }

  @Test
  void resultsThatNobodyReadsHaveBytesForTheirOwnStep() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    List<NodeEntry> parts = fixture.applyForAll("parts", "Split{axis=0,num_outputs=2}", 2, x);
    NodeEntry y = fixture.apply("y", "Relu", parts.get(1));
    Analysed it = analyse(y);
    assertThat(it.buffer(parts.get(0)).lifetime()).isEqualTo(new Lifetime(0, 1));
    assertThat(it.place(parts.get(0))).isNotEqualTo(it.place(parts.get(1)));
    assertThat(it.place(y)).isEqualTo(it.place(parts.get(1)));
  }

  @Test
  void aWorkspaceLivesForItsStepOnly() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry a = fixture.apply("aW", "Relu", x);
    NodeEntry b = fixture.apply("b", "Tanh", a);
    Analysed it = analyse(b);
    assertThat(it.storage().workspaces().get(1)).isEmpty();
    Buffer workspace = it.storage().problem().buffer(it.storage().workspaces().get(0).orElseThrow().buffer());
    assertThat(workspace)
      .isEqualTo(new Buffer("aW/workspace", 100, new Lifetime(0, 1), ALIGNMENT, "workspace", true, false,
        Constraints.NONE));
    assertThat(it.storage().separateBytes()).isEqualTo(2 * 96 + 100);
  }

  @Test
  void namesThatMeetAreToldApart() {
    NodeEntry x = fixture.input("x", "float32[4x6]");
    NodeEntry taken = fixture.apply("aW/workspace", "Relu", x);
    NodeEntry a = fixture.apply("aW", "Tanh", x);
    Analysed it = analyse(taken, a);
    assertThat(it.storage().problem().buffers()).extracting(Buffer::name).doesNotHaveDuplicates().hasSize(3);
  }

  /** Runs the storage with names instead of numbers: every step must find in each buffer what it is to read. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void inRandomGraphsEveryStepFindsWhatItReads(boolean inPlace) {
    int shared = 0;
    for (int seed = 0; seed < 300; seed++) {
      Graph graph = RandomGraphs.of(seed, 3 + seed % 50);
      Analysed it = analyse(graph, inPlace ? OPERATORS : OPERATORS.withoutInPlace());
      Map<Integer, NodeEntry> contents = new HashMap<>();
      for (int step = 0; step < it.storage().steps().size(); step++) {
        Node node = it.storage().steps().get(step);
        for (NodeEntry input : node.inputs()) {
          requireThere(it, contents, input, step, seed);
        }
        for (int i = 0; i < node.kind().outputs(); i++) {
          var place = (Place.Planned) it.place(node.entry(i));
          contents.put(place.buffer(), node.entry(i));
          assertThat(it.storage().problem().buffer(place.buffer()).bytes())
            .isEqualTo(it.types().type(node.entry(i)).bytes());
          requireAlive(it, place, step, seed);
        }
      }
      for (Graph.Output output : graph.outputs()) {
        requireThere(it, contents, output.entry(), it.storage().steps().size() - 1, seed);
        assertThat(!(it.place(output.entry()) instanceof Place.Planned) || it.buffer(output.entry()).output()).isTrue();
      }
      shared += it.storage().inPlace();
    }
    assertThat(shared > 500).as("in place: %d", shared).isEqualTo(inPlace);
  }

  private static void requireThere(Analysed it, Map<Integer, NodeEntry> contents, NodeEntry entry, int step, int seed) {
    NodeEntry root = entry;
    while (root.node().kind() instanceof NodeKind.Apply && !it.storage().steps().contains(root.node())) {
      root = root.node().inputs().get(0);
    }
    assertThat(it.place(entry)).as("seed %d: %s", seed, entry).isEqualTo(it.place(root));
    if (it.place(entry) instanceof Place.Planned planned) {
      assertThat(contents.get(planned.buffer())).as("seed %d step %d", seed, step).isEqualTo(root);
      requireAlive(it, planned, step, seed);
    }
  }

  private static void requireAlive(Analysed it, Place.Planned place, int step, int seed) {
    Buffer buffer = it.storage().problem().buffer(place.buffer());
    assertThat(buffer.lifetime().overlaps(new Lifetime(step, step + 1))).as("seed %d step %d %s", seed, step, buffer)
      .isTrue();
  }
}
