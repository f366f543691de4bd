package dev.cairn.runtime.pass.simplify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.PassText;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CommonSubexpressionPassTest {
  private final CommonSubexpressionPass pass = new CommonSubexpressionPass();

  @Test
  void computesOnceWhatIsComputedTwice() {
    assertEquals("""
      x = input float32[2x4]
      c = constant float32[4]
      p = Add(x, c)
      s = Split{axis=1, num_outputs=2}(p) -> 2
      y = Mul(s, s:1)
      return y=y, z=y
      """, PassText.after(pass, """
      x = input float32[2x4]
      c = constant float32:[1,2,3,4]
      d = constant float32:[1,2,3,4]
      p = Add(x, c)
      q = Add(x, d)
      s = Split{axis=1, num_outputs=2}(p) -> 2
      t = Split{axis=1, num_outputs=2}(q) -> 2
      y = Mul(s, t:1)
      z = Mul(t, s:1)
      return y=y, z=z
      """));
  }

  @Test
  void tellsAttributesInputsTypesAndResultsApart() {
    assertTrue(PassText.leaves(pass, """
      x = input float32[2x2]
      z = input float32[2x2]
      a = Softmax{axis=0}(x)
      b = Softmax{axis=1}(x)
      c = Softmax{axis=0}(z)
      d = Sub(x, z)
      e = Sub(z, x)
      f = Split{axis=0, num_outputs=2}(x) -> 2
      g = Split{axis=1, num_outputs=2}(x) -> 2
      return a=a, b=b, c=c, d=d, e=e, f=f, g=g
      """));
  }

  /** The hash reads some bytes only. */
  @Test
  void tellsLargeConstantsApartByOneElement() {
    for (int different = 0; different < 100; different++) {
      var builder = new GraphBuilder("large");
      float[] values = new float[100];
      NodeEntry p = builder.constant("p", TensorView.ofFloats(Shape.of(100), values));
      NodeEntry equal = builder.constant("equal", TensorView.ofFloats(Shape.of(100), values));
      values[different] = 1;
      NodeEntry other = builder.constant("other", TensorView.ofFloats(Shape.of(100), values));
      builder.output("y", builder.apply("Add", p, equal));
      builder.output("z", builder.apply("Add", p, other));
      Graph after = pass.apply(builder.build(), PassContext.none());
      assertEquals(Set.of("p", "other"), after.nodes().stream().filter(it -> it.constant().isPresent()).map(Node::name)
        .collect(Collectors.toSet()));
    }
  }

  /** Weights are not compared by their bytes; those at one place are one. */
  @Test
  void joinsWeightsAtOnePlace() {
    var builder = new GraphBuilder("weights");
    float[] values = new float[50_000];
    TensorView first = TensorView.ofFloats(Shape.of(values.length), values);
    NodeEntry p = builder.constant("p", first);
    NodeEntry same = builder.constant("same", new TensorView(first.type(), first.segment().asSlice(0)));
    NodeEntry turned = builder.constant("turned", first.reshaped(Shape.of(1, values.length)));
    NodeEntry equal = builder.constant("equal", TensorView.ofFloats(Shape.of(values.length), values.clone()));
    builder.output("y", builder.apply("Sum", p, same, turned, equal));
    Graph after = pass.apply(builder.build(), PassContext.none());
    assertEquals(Set.of("p", "turned", "equal"), after.nodes().stream().filter(it -> it.constant().isPresent()).map(
      Node::name).collect(Collectors.toSet()));
  }

  @Test
  void tellsConstantsApartByTypeShapeAndEveryBit() {
    assertTrue(PassText.leaves(pass, """
      x = input float32[2x2]
      p = constant float32:[0,1]
      n = constant float32:[-0.0,1]
      w = constant float32:[0,1] as 1x2
      i = constant int64:[0]
      j = constant float64:[0]
      a = Add(x, p)
      b = Add(x, n)
      c = Add(x, w)
      return a=a, b=b, c=c, i=i, j=j
      """));
  }

  @Test
  void mergesNodesWhoseGroupsAndMirroringAreTheSame() {
    assertEquals("""
      x = input float32[2]
      a = Relu(x) # ctx_group=dev1, lr_mult=2
      c = Relu(x) # ctx_group=dev2
      d = Relu(x) # force_mirroring=True
      e = Relu(x)
      f = Relu(x) # precision=float32
      return a=a, b=a, c=c, d=d, e=e, f=f
      """, PassText.after(pass, """
      x = input float32[2]
      a = Relu(x) # ctx_group=dev1, lr_mult=2
      b = Relu(x) # ctx_group=dev1, lr_mult=3
      c = Relu(x) # ctx_group=dev2
      d = Relu(x) # force_mirroring=True
      e = Relu(x)
      f = Relu(x) # precision=float32
      return a=a, b=b, c=c, d=d, e=e, f=f
      """));
  }

  @Test
  void leavesLargeConstantsAndDropoutAlone() {
    assertTrue(PassText.leaves(pass, """
      x = input float32[16385]
      p = constant float32:[0,1]
      a = Dropout(x)
      b = Dropout(x)
      return a=a, b=b
      """));
    var fixture = new GraphFixture();
    var type = TensorType.of(DType.FLOAT32, 16385);
    var graph = fixture.graph(fixture.constant("a", PassText.random("w", type)),
      fixture.constant("b", PassText.random("w", type)));
    assertEquals(2, pass.apply(graph, PassContext.none()).nodes().size());
  }
}
