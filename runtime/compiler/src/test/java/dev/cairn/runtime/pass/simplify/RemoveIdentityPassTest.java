package dev.cairn.runtime.pass.simplify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notation;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.PassText;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoveIdentityPassTest {
  private final RemoveIdentityPass pass = new RemoveIdentityPass();

  private static String around(String constants, String use) {
    return "x = input float32[1x3x4]\n" + constants.replace("; ", "\n") + (constants.isEmpty() ? "" : "\n")
      + "n = " + use + "\ny = Relu(n)\nreturn out=y\n";
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "|Identity(x)", "|Cast{to=\"float32\"}(x)", "|Dropout(x)", "|Dropout(x) -> 2", "|Concat{axis=1}(x)", "|Sum(x)",
    "|Transpose{perm=[0,1,2]}(x)", "|Min(x)", "|Max(x)",
    "r = constant float32:0.5; m = constant bool:0|Dropout(x, r, m)",
    "s = constant int64:[1,3,4]|Reshape(x, s)", "s = constant int64:[0,-1,4]|Reshape(x, s)",
    "s = constant int64:[3,1]|Expand(x, s)", "s = constant int64:[1,1,1]|Tile(x, s)",
    "p = constant int64:[0,0,0,0,0,0]|Pad(x, p)",
    "a = constant int64:[0]; b = constant int64:[9]|Slice(x, a, b)",
    "a = constant int64:[0]; b = constant int64:[9]; i = constant int64:[1]; s = constant int64:[1]"
      + "|Slice(x, a, b, i, s)"})
  void takesOutWhatDoesNothing(String row) {
    String[] parts = row.split("\\|", 2);
    assertEquals("x = input float32[1x3x4]\ny = Relu(x)\nreturn out=y\n",
      PassText.after(pass, around(parts[0], parts[1])));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "|Relu(x)", "|Cast{to=\"float64\"}(x)", "|Transpose(x)", "|Transpose{perm=[0,2,1]}(x)", "|Concat{axis=1}(x, x)",
    "|Sum(x, x)",
    "s = constant int64:[3,4]|Reshape(x, s)", "s = constant int64:[2,1,1]|Expand(x, s)",
    "s = constant int64:[1,2,1]|Tile(x, s)", "p = constant int64:[0,1,0,0,-1,0]|Pad(x, p)",
    "a = constant int64:[-1]; b = constant int64:[-9]; i = constant int64:[1]; s = constant int64:[-1]"
      + "|Slice(x, a, b, i, s)"})
  void leavesWhatDoesSomething(String row) {
    String[] parts = row.split("\\|", 2);
    assertTrue(PassText.leaves(pass, around(parts[0], parts[1])));
  }

  @Test
  void aTranspositionOfEqualExtentsStays() {
    assertTrue(PassText.leaves(pass, "x = input float32[3x3]\nn = Transpose(x)\nreturn y=n\n"));
    assertTrue(PassText.leaves(pass, "x = input float32[2x2x2]\nn = Transpose{perm=[1,2,0]}(x)\nreturn y=n\n"));
  }

  @Test
  void aTranspositionThatOnlyMovesAxesOfOneElementGoes() {
    assertEquals("x = input float32[1x1x4]\nreturn y=x\n",
      PassText.after(pass, "x = input float32[1x1x4]\nn = Transpose{perm=[1,0,2]}(x)\nreturn y=n\n"));
  }

  @Test
  void aDropoutWhoseMaskIsReadStays() {
    assertTrue(PassText.leaves(pass, "x = input float32[3]\nn = Dropout(x) -> 2\nreturn y=n, mask=n:1\n"));
  }

  @Test
  void whatIsOnlyKnownWhenTheModelRunsIsNotTrusted() {
    Graph graph = PassText.graph("""
      x = input float32[3]
      p = input int64[2]
      r = constant float32:0.5
      t = input bool[scalar]
      n = Pad(x, p)
      d = Dropout(n, r, t)
      return y=d
      """);
    var types = new HashMap<NodeEntry, TensorType>();
    graph.nodes().forEach(node -> types.put(node.entry(), TensorType.of(DType.FLOAT32, 3)));
    graph.inputs().forEach(node -> types.put(node.entry(), Notation.type(node.toString().split("input ", 2)[1])));
    assertSame(graph, pass.apply(graph, PassContext.of(new GraphTypes(types, Map.of()))));
  }

  @Test
  void aWholeChainGoesInOneWalkAndOutputsKeepTheirNames() {
    assertEquals("""
      x = input float32[2x3]
      r = Relu(x)
      return first=r, second=r, third=x
      """, PassText.after(pass, """
      x = input float32[2x3]
      r = Relu(x)
      a = Identity(r)
      b = Cast{to="float32"}(a)
      c = Dropout(b) -> 2
      d = Identity(x)
      return first=c, second=r, third=d
      """));
  }
}
