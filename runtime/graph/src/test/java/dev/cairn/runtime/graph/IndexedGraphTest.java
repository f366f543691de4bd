package dev.cairn.runtime.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class IndexedGraphTest {
  private final GraphFixture fixture = new GraphFixture();
  private final NodeEntry x = fixture.input("x", "float32[6]");
  private final List<NodeEntry> parts = fixture.applyForAll("parts", "Split", 3, x);
  private final NodeEntry y = fixture.apply("y", "Add", parts.get(2), parts.get(0));
  private final IndexedGraph indexed = new IndexedGraph(fixture.graph(y));

  @Test
  void nodesAreNumberedInTheGraphsOrder() {
    assertThat(indexed.nodeCount()).isEqualTo(3);
    for (int id = 0; id < indexed.nodeCount(); id++) {
      assertThat(indexed.node(id)).isSameAs(indexed.graph().nodes().get(id));
      assertThat(indexed.nodeId(indexed.node(id))).isEqualTo(id);
    }
  }

  @Test
  void entriesAreNumberedNodeByNode() {
    assertThat(indexed.entryCount()).isEqualTo(5);
    assertThat(indexed.entryId(x)).isZero();
    assertThat(parts.stream().map(indexed::entryId)).containsExactly(1, 2, 3);
    assertThat(indexed.entryId(y)).isEqualTo(4);
    assertThat(indexed.firstEntryId(1)).isEqualTo(1);
    assertThat(indexed.firstEntryId(2)).isEqualTo(4);
  }

  @Test
  void aNodeOfAnotherGraphHasNoNumber() {
    Node stranger = fixture.apply("stranger", "Relu", x).node();
    assertThatThrownBy(() -> indexed.nodeId(stranger)).isInstanceOf(IllegalArgumentException.class)
      .hasMessage("not in this graph: node=stranger");
    assertThatThrownBy(() -> indexed.entryId(stranger.entry())).isInstanceOf(IllegalArgumentException.class);
  }
}
