package dev.cairn.runtime.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class GraphBuilderTest {
  private final GraphBuilder graph = new GraphBuilder("built");
  private final NodeEntry x = graph.input("x", TensorType.of(DType.FLOAT32, 2, 4));

  @Test
  void namesNodesByScopeAndOperator() {
    GraphBuilder layer = graph.within("layer0").within("attention");
    NodeEntry weight = layer.constant("weight", TensorView.ofFloats(Shape.of(2), 1, 2));
    NodeEntry sum = layer.apply("Add", weight, layer.apply("Add", x, weight));
    List<NodeEntry> parts = graph.applyForAll("Split", Attributes.NONE.with("axis", 1), 2, sum);
    graph.output("left", parts.get(0));
    graph.output("right", graph.within("layer0").within("attention").apply("Add", parts.get(1), parts.get(1)));
    assertEquals("""
      x = input float32[2x4]
      layer0/attention/weight = constant float32[2]
      layer0/attention/Add = Add(x, layer0/attention/weight)
      layer0/attention/Add_1 = Add(layer0/attention/weight, layer0/attention/Add)
      Split = Split{axis=1}(layer0/attention/Add_1) -> 2
      layer0/attention/Add_2 = Add(Split:1, Split:1)
      return left=Split, right=layer0/attention/Add_2
      """, graph.build().toString());
    assertEquals("built", graph.build().name());
  }

  @Test
  void assignsAreNamedByTheirVariableAndNeedNoOutput() {
    GraphBuilder layer = graph.within("layer0");
    NodeEntry w = layer.variable("w", TensorView.ofFloats(Shape.of(2), 1, 2));
    NodeEntry first = graph.assign(w, graph.apply("Neg", w));
    graph.assign(first, graph.apply("Exp", first));
    assertEquals("""
      x = input float32[2x4]
      layer0/w = variable float32[2]
      Neg = Neg(layer0/w)
      layer0/w/assign = assign(layer0/w, Neg)
      Exp = Exp(layer0/w/assign)
      layer0/w/assign_1 = assign(layer0/w/assign, Exp)
      return\s
      """, graph.build().toString());
    assertThrows(IllegalArgumentException.class, () -> graph.assign(x, w));
    assertThrows(IllegalArgumentException.class, () -> layer.variable("w", TensorView.ofFloats(Shape.of(2), 1, 2)));
    graph.assign(w, x);
    assertThrows(InvalidGraph.class, graph::build, "two assigns replace the same value");
  }

  @Test
  void dropsInputsThatAreLeftOutAtTheEndOnly() {
    NodeEntry y = graph.apply("Clip", x, Node.absent(), x, Node.absent(), Node.absent());
    NodeEntry z = graph.apply("Clip", y, Node.absent(), Node.absent());
    graph.output("z", z);
    assertEquals("""
      x = input float32[2x4]
      Clip = Clip(x, _, x)
      Clip_1 = Clip(Clip)
      return z=Clip_1
      """, graph.build().toString());
  }

  @Test
  void keepsInputsThatNothingReadsAndGoesOnAfterBuilding() {
    graph.output("x", x);
    assertEquals(1, graph.build().nodes().size());
    graph.output("y", graph.apply("Relu", x));
    assertEquals(List.of("x", "y"), graph.build().outputs().stream().map(Graph.Output::name).toList());
  }

  @Test
  void refusesASecondInputOfOneName() {
    var thrown = assertThrows(IllegalArgumentException.class,
      () -> graph.input("x", TensorType.of(DType.INT64)));
    assertEquals("a node has this name: input=x", thrown.getMessage());
  }

  @Test
  void refusesAGraphThatBreaksTheRules() {
    assertThrows(InvalidGraph.class, graph::build, "no output");
    graph.output("y", x);
    graph.output("y", x);
    assertThrows(InvalidGraph.class, graph::build, "two outputs have one name");
    var other = new GraphBuilder("other");
    other.output("y", other.apply("Relu", x));
    assertThrows(InvalidGraph.class, other::build, "a node of another graph");
  }

  @Test
  void namesAreUniqueWhateverIsAskedFor() {
    var random = new Random(5);
    for (int round = 0; round < 50; round++) {
      var names = new NodeNames();
      Set<String> given = new TreeSet<>();
      for (int i = 0; i < 200; i++) {
        String wanted = "n" + "_1".repeat(random.nextInt(3)) + (random.nextBoolean() ? "_" + random.nextInt(4) : "");
        if (random.nextInt(4) == 0) {
          assertEquals(given.add(wanted), names.take(wanted), wanted);
        } else {
          boolean free = !given.contains(wanted);
          String name = names.unique(wanted);
          assertTrue(given.add(name), name);
          assertEquals(free, name.equals(wanted), name);
        }
      }
    }
  }

  @Test
  void namesOfAGraphAreTaken() {
    graph.output("y", graph.apply("Relu", x));
    NodeNames names = NodeNames.of(graph.build());
    assertFalse(names.take("x"));
    assertEquals("Relu_1", names.unique("Relu"));
    assertEquals("Relu_2", names.unique("Relu"));
    assertEquals("y", names.unique("y"));
  }
}
