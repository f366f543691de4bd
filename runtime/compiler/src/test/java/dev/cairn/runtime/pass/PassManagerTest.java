package dev.cairn.runtime.pass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.infer.ValueEvaluator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class PassManagerTest {
  private static final String CHAIN = """
    x = input float32[2x3]
    a = Relu(x)
    b = Relu(a)
    c = Relu(b)
    return y=c
    """;

  private final List<Graph> inferred = new ArrayList<>();
  private final PassManager manager = new PassManager(graph -> {
    inferred.add(graph);
    return PassText.types(graph, ValueEvaluator.NONE);
  });

  /** A pass made of a function. */
  private record Made(String name, Set<Fact<?>> requires, UnaryOperator<Graph> change) implements Pass {
    @Override
    public Graph apply(Graph graph, PassContext context) {
      if (requires.contains(Fact.TYPES)) {
        graph.nodes().forEach(node -> context.types().type(node.entry()));
      }
      return change.apply(graph);
    }
  }

  private static Made nothing(String name, Fact<?>... facts) {
    return new Made(name, Set.of(facts), graph -> graph);
  }

  /** Takes out the last Relu of several. */
  private static Made shorten(Fact<?>... facts) {
    return new Made("shorten", Set.of(facts), graph -> {
      NodeEntry result = graph.outputs().get(0).entry();
      NodeEntry before = result.node().inputs().get(0);
      return before.node().inputs().isEmpty() ? graph : graph.withOutputs(List.of(new Graph.Output("y", before)));
    });
  }

  @Test
  void infersTypesOnlyWhenTheyAreRequiredAndTheGraphChanged() {
    Graph graph = PassText.graph(CHAIN);
    manager.run(graph, List.of(nothing("n"), shorten()));
    assertEquals(0, inferred.size());
    PassResult result = manager.run(graph, List.of(nothing("n", Fact.TYPES), nothing("m", Fact.TYPES), shorten(),
      nothing("o", Fact.TYPES), nothing("p", Fact.TYPES)));
    assertEquals(2, inferred.size());
    assertSame(graph, inferred.get(0));
    assertSame(result.graph(), inferred.get(1));
    assertTrue(result.types().isPresent());
    assertFalse(manager.run(graph, List.of(nothing("n", Fact.TYPES), shorten())).types().isPresent());
  }

  @Test
  void aPassIsNotAskedAgainAboutAGraphInWhichItHadNothingToDo() {
    List<Graph> asked = new ArrayList<>();
    var watching = new Made("watch", Set.of(Fact.TYPES), graph -> {
      asked.add(graph);
      return graph;
    });
    PassResult result = manager.runUntilStable(PassText.graph(CHAIN), List.of(shorten(), watching), 8);
    assertEquals(2, asked.size());
    assertSame(result.graph(), asked.getLast());
    assertEquals(List.of(1, 2, 3), result.report().steps().stream().filter(it -> it.pass().equals("watch")).map(
      PassReport.Step::round).toList());
  }

  @Test
  void repeatsUntilNothingChanges() {
    PassResult result = manager.runUntilStable(PassText.graph(CHAIN), List.of(nothing("n"), shorten()), 9);
    assertEquals(2, result.graph().nodes().size());
    assertEquals("""
      n (round 1): nothing to do
      shorten (round 1): 4 nodes (3 operators, 0 constant bytes) -> 3 nodes (2 operators, 0 constant bytes)
      n (round 2): nothing to do
      shorten (round 2): 3 nodes (2 operators, 0 constant bytes) -> 2 nodes (1 operators, 0 constant bytes)
      n (round 3): nothing to do
      shorten (round 3): nothing to do""", result.report().toString());
    assertEquals(2, result.report().changes().size());
  }

  @Test
  void stopsWhenTheRoundsAreUsedUp() {
    PassResult result = manager.runUntilStable(PassText.graph(CHAIN), List.of(shorten()), 1);
    assertEquals(3, result.graph().nodes().size());
    assertThrows(IllegalArgumentException.class,
      () -> manager.runUntilStable(PassText.graph(CHAIN), List.of(shorten()), 0));
  }

  @Test
  void givesNoFactsToAPassThatDoesNotAskForThem() {
    var curious = new Pass() {
      @Override
      public String name() {
        return "curious";
      }

      @Override
      public Graph apply(Graph graph, PassContext context) {
        context.types();
        return graph;
      }
    };
    var thrown = assertThrows(IllegalStateException.class,
      () -> manager.run(PassText.graph(CHAIN), List.of(curious)));
    assertEquals("not required by this pass: fact=types", thrown.getMessage());
  }

  @Test
  void refusesAGraphWithOtherOutputsOrInputs() {
    var rename = new Made("rename", Set.of(),
      graph -> graph.withOutputs(List.of(new Graph.Output("z", graph.outputs().get(0).entry()))));
    assertFault("P2 signature", "pass=rename", rename);
    var forget = new Made("forget", Set.of(), graph -> {
      NodeEntry one = Node.constant("one", TensorView.ofLong(1)).entry();
      return new Graph(graph.name(), List.of(), List.of(new Graph.Output("y", one)));
    });
    assertFault("P2 signature", "pass=forget", forget);
  }

  @Test
  @SuppressWarnings("NullAway") // as users may write it, without annotations
  void aPassWithoutAGraphIsNamed() {
    var fault = assertThrows(NullPointerException.class, () -> manager.run(PassText.graph(CHAIN), List.of(new Made(
      "forgetful", Set.of(), graph -> null))));
    assertEquals("a pass gave no graph: pass=forgetful", fault.getMessage());
  }

  @Test
  void aPassThatFailsIsNamed() {
    assertFault("a pass failed", "pass=broken cause=java.lang.ArrayIndexOutOfBoundsException", new Made("broken", Set
      .of(), graph -> {
        throw new ArrayIndexOutOfBoundsException(7);
      }));
  }

  @Test
  void refusesAGraphThatAssignsLess() {
    var fixture = new GraphFixture();
    NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(1), 1));
    fixture.assign("a", w, w);
    var drop = new Made("drop", Set.of(), graph -> new Graph(graph.name(), graph.inputs(), graph.outputs()));
    var thrown = assertThrows(InvalidGraph.class, () -> manager.run(fixture.graph(w), List.of(drop)));
    assertEquals("P4 assigns: a pass changed the assigns: pass=drop before=[a] after=[]: node=test",
      thrown.getMessage());
  }

  @Test
  void refusesResultsOfAnotherTypeAsSoonAsTypesAreKnown() {
    var transpose = new Made("transpose", Set.of(), graph -> {
      NodeEntry turned = Node.apply("t", "Transpose", Attributes.NONE, List.of(graph.inputs().get(0).entry())).entry();
      return graph.withOutputs(List.of(new Graph.Output("y", turned)));
    });
    assertFault("P3 results", "changed=[transpose] before=[float32[2x3]] after=[float32[3x2]]",
      nothing("n", Fact.TYPES), transpose, nothing("m", Fact.TYPES));
  }

  @Test
  void aNodeThatNothingReadsIsGoneWithoutAPass() {
    Graph graph = PassText.graph("""
      x = input float32[2x3]
      unread = input float32[9]
      c = constant float32:[1,2,3]
      dead = Add(x, c)
      y = Relu(x)
      deader = Neg(dead)
      return y=y
      """);
    assertEquals("""
      x = input float32[2x3]
      unread = input float32[9]
      y = Relu(x)
      return y=y
      """, graph.toString());
    Graph rewritten = GraphRewriter.rewrite(PassText.graph(CHAIN), (old, current) -> old.name().equals("c")
      ? List.of(current.inputs().get(0).node().inputs().get(0))
      : current.entries());
    assertEquals(List.of("x", "a"), rewritten.nodes().stream().map(Node::name).toList());
  }

  @Test
  void p6NodesKeepTheirNotes() {
    Graph graph = PassText.graph("""
      x = input float32[2x3]
      a = Relu(x) # ctx_group=dev1, lr_mult=2
      b = Relu(a)
      return y=b
      """);
    var byName = new Made("by-name", Set.of(), it -> GraphRewriter.rewrite(it, (old, current) -> old.name().equals("a")
      ? Node.apply("a", "Neg", Attributes.NONE, current.inputs()).entries()
      : current.entries()));
    assertEquals("""
      x = input float32[2x3]
      a = Neg(x) # ctx_group=dev1, lr_mult=2
      b = Relu(a)
      return y=b
      """, manager.run(graph, List.of(byName)).graph().toString());
    var forgetful = new Made("forgetful", Set.of(), it -> it.withOutputs(List.of(new Graph.Output("y", Node.apply("a",
      "Neg", Attributes.NONE, List.of(it.inputs().getFirst().entry())).entry()))));
    var thrown = assertThrows(InvalidGraph.class, () -> manager.run(graph, List.of(forgetful)));
    assertEquals("P6 notes: a pass changed a node's notes: pass=forgetful before={ctx_group=dev1, lr_mult=2} after={}:"
      + " node=a", thrown.getMessage());
    var adding = new Made("adding", Set.of(), it -> it.withOutputs(List.of(new Graph.Output("y", it.outputs().getFirst()
      .entry().node().withNotes(Notes.NONE.with("k", "v")).entry()))));
    assertThrows(InvalidGraph.class, () -> manager.run(PassText.graph(CHAIN), List.of(adding)));
  }

  private void assertFault(String rule, String facts, Pass... passes) {
    var thrown = assertThrows(InvalidGraph.class, () -> manager.run(PassText.graph(CHAIN), List.of(passes)));
    String message = String.valueOf(thrown.getMessage());
    assertTrue(message.startsWith(rule), message);
    assertTrue(message.contains(facts), message);
  }
}
