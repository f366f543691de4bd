package dev.cairn.runtime.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GraphTest {
  private final GraphFixture fixture = new GraphFixture();

  @Test
  void inputsStandFirstAndEachNodeAfterWhatItReads() {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry z = fixture.input("z", "float32[2]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry b = fixture.apply("b", "Add", fixture.apply("c", "Neg", z), a);
    assertThat(names(fixture.graph(b))).containsExactly("x", "z", "c", "a", "b");
  }

  @Test
  void inputsStayWhenNothingReadsThem() {
    NodeEntry x = fixture.input("x", "float32[2]");
    fixture.input("unread", "float32[2]");
    assertThat(names(fixture.graph(fixture.apply("y", "Relu", x)))).containsExactly("x", "unread", "y");
  }

  @Test
  void aNodeReadTwiceStandsOnce() {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry b = fixture.apply("b", "Add", a, a);
    assertThat(names(fixture.graph(fixture.apply("c", "Mul", b, a), a))).containsExactly("x", "a", "b", "c");
  }

  @Test
  void anInputMayBeAnOutput() {
    Graph graph = fixture.graph(fixture.input("x", "float32[2]"));
    assertThat(graph.toString()).isEqualTo("x = input float32[2]\nreturn x=x\n");
  }

  @Test
  void otherOutputsLeaveOutWhatOnlyTheOldOnesNeeded() {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    Graph graph = fixture.graph(fixture.apply("b", "Neg", a));
    Graph other = graph.withOutputs(List.of(new Graph.Output("a", a)));
    assertThat(names(other)).containsExactly("x", "a");
    assertThat(other.nodes().get(1)).isSameAs(a.node());
    assertThat(names(graph)).containsExactly("x", "a", "b");
  }

  @Test
  void aChainOfAHundredThousandNodesDoesNotOverflow() {
    NodeEntry x = fixture.input("x", "float32[2]");
    Graph graph = fixture.graph(fixture.chain("n", "Relu", 100_000, 1, x));
    assertThat(graph.nodes()).hasSize(100_001);
    assertThat(graph.nodes().get(100_000).name()).isEqualTo("n99999");
    assertThat(graph.toString().lines()).hasSize(100_002);
  }

  /** With structural hashing, each level would double the work. */
  @Test
  void hashingSharedLevelsCostsNothing() {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry y = fixture.chain("y", "Add", 100_000, 2, x);
    Set<NodeEntry> seen = new HashSet<>();
    assertThat(seen.add(y)).isTrue();
    assertThat(seen.contains(y.node().entry())).isTrue();
    assertThat(fixture.graph(y).nodes()).hasSize(100_001);
  }

  @Test
  void nodesThatLookAlikeAreNotEqual() {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry a = fixture.apply("a", "Relu", x);
    NodeEntry same = fixture.apply("a", "Relu", x);
    assertThat(a).isNotEqualTo(same).isEqualTo(a.node().entry());
    assertThat(a.node().kind()).isEqualTo(same.node().kind());
  }

  @Test
  void theOrderOfRandomGraphsIsValidCompleteAndAlwaysTheSame() {
    for (int seed = 0; seed < 50; seed++) {
      assertThat(randomGraph(seed).toString()).isEqualTo(randomGraph(seed).toString());
      Graph graph = randomGraph(seed);
      Set<Node> before = new HashSet<>();
      for (Node node : graph.nodes()) {
        assertThat(node.inputs()).allMatch(input -> input.isAbsent() || before.contains(input.node()));
        assertThat(before.add(node)).isTrue();
      }
      assertThat(before).isEqualTo(reachable(graph));
    }
  }

  private static Graph randomGraph(int seed) {
    var random = new Random(seed);
    var fixture = new GraphFixture();
    var entries = new ArrayList<NodeEntry>();
    entries.add(fixture.input("x", "float32[2]"));
    entries.add(fixture.input("y", "float32[2]"));
    for (int i = 0; i < 30; i++) {
      var reads = new NodeEntry[random.nextInt(4)];
      for (int k = 0; k < reads.length; k++) {
        reads[k] = random.nextInt(8) == 0 ? Node.absent() : entries.get(random.nextInt(entries.size()));
      }
      entries.addAll(fixture.applyForAll("n" + i, "Any", 1 + random.nextInt(3), reads));
    }
    return fixture.graph(entries.get(entries.size() - 1), entries.get(2 + random.nextInt(10)));
  }

  private static Set<Node> reachable(Graph graph) {
    Set<Node> found = new HashSet<>(graph.inputs());
    graph.outputs().forEach(output -> collect(output.entry(), found));
    return found;
  }

  private static void collect(NodeEntry entry, Set<Node> found) {
    if (!entry.isAbsent() && found.add(entry.node())) {
      entry.node().inputs().forEach(input -> collect(input, found));
    }
  }

  @Test
  void anEntryMustBeOneOfTheNodesResults() {
    List<NodeEntry> parts = fixture.applyForAll("parts", "Split", 2, fixture.input("x", "float32[2]"));
    assertThat(parts.get(1).toString()).isEqualTo("parts:1");
    Node node = parts.get(0).node();
    assertThatThrownBy(() -> node.entry(2)).isInstanceOf(IllegalArgumentException.class)
      .hasMessage("no such output: node=parts index=2 outputs=2");
    assertThatThrownBy(() -> node.entry(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> fixture.applyForAll("none", "Split", 0)).isInstanceOf(IllegalArgumentException.class)
      .hasMessage("a node has results: operator=Split outputs=0");
  }

  private static List<String> names(Graph graph) {
    return graph.nodes().stream().map(Node::name).toList();
  }
}
