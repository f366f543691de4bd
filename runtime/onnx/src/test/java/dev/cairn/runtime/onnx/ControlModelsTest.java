package dev.cairn.runtime.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.InvalidModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models whose nodes have bodies. */
class ControlModelsTest {
  @TempDir
  private Path folder;

  private static AttributeProto body(String name, GraphProto.Builder body) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.GRAPH).setG(body).build();
  }

  private static GraphProto.Builder graph(List<NodeProto> nodes, String... outputs) {
    var graph = GraphProto.newBuilder().setName("body").addAllNode(nodes);
    for (String output : outputs) {
      graph.addOutput(ValueInfoProto.newBuilder().setName(output));
    }
    return graph;
  }

  private static GraphProto.Builder graph(String node, String... outputs) {
    return graph(List.of(Models.node(node)), outputs);
  }

  private static NodeProto branch(String call, GraphProto.Builder then, GraphProto.Builder otherwise) {
    return Models.node(call, body("then_branch", then), body("else_branch", otherwise));
  }

  private static ModelProto model(NodeProto... nodes) {
    return Models.model(16).setGraph(Models.graph(nodes).addInput(Models.value("x", DType.FLOAT32, 2)).addInput(Models
      .value("c", DType.BOOL)).addInitializer(Models.floats("w", 1, 2))).build();
  }

  private Graph read(ModelProto model) throws IOException {
    return OnnxReader.read(Models.anew(folder.resolve("model.onnx"), model.toByteArray()), Models.operators());
  }

  private void assertRefused(String part, NodeProto... nodes) {
    String message = assertThrows(InvalidModel.class, () -> read(model(nodes))).getMessage();
    assertTrue(String.valueOf(message).contains(part), message);
  }

  @Test
  void whatBranchesReadFromOutsideBecomesOperandsAndConstantsAreCopied() throws IOException {
    var inner = branch("z = If(c)", graph("u = Add(t, w)", "u"), graph("u = Neg(x)", "u"));
    Graph graph = read(model(Models.node("t = Relu(x)"), branch("y = If(c)", graph(List.of(inner), "z"), graph(
      "v = Neg(t)", "v"))));
    assertEquals("""
      x = input float32[2]
      c = input bool[scalar]
      relu_t = Relu(x)
      if_y = If(c, c, relu_t, x)
        then
          if_y/then/c = parameter
          if_y/then/t = parameter
          if_y/then/x = parameter
          if_y/then/if_z = If(if_y/then/c, if_y/then/t, if_y/then/x)
            then
              if_y/then/if_z/then/t = parameter
              if_y/then/if_z/then/x = parameter
              if_y/then/if_z/then/w = constant float32[2]
              if_y/then/if_z/then/add_u = Add(if_y/then/if_z/then/t, if_y/then/if_z/then/w)
              return 0:u=if_y/then/if_z/then/add_u
            else
              if_y/then/if_z/else/t = parameter
              if_y/then/if_z/else/x = parameter
              if_y/then/if_z/else/neg_u = Neg(if_y/then/if_z/else/x)
              return 0:u_1=if_y/then/if_z/else/neg_u
          return 0:z=if_y/then/if_z
        else
          if_y/else/c = parameter
          if_y/else/t = parameter
          if_y/else/x = parameter
          if_y/else/neg_v = Neg(if_y/else/t)
          return 0:v=if_y/else/neg_v
      return y=if_y
      """, graph.toString());
  }

  @Test
  void aLoopHasATripAConditionAndCarriedValues() throws IOException {
    var body = graph(List.of(Models.node("next = Add(old, x)"), Models.node("on = Identity(go)")), "on", "next", "old")
      .addInput(Models.value("i", DType.INT64)).addInput(Models.value("go", DType.BOOL)).addInput(Models.value("old",
        DType.FLOAT32, 2));
    assertEquals("""
      x = input float32[2]
      c = input bool[scalar]
      w = constant float32[2]
      loop_y = Loop{carried=1, scanned=[], stacked=[0]}(_, c, w, x) -> 2
        body
          loop_y/body/trip = parameter
          loop_y/body/condition = parameter
          loop_y/body/old = parameter
          loop_y/body/x = parameter
          loop_y/body/identity_on = Identity(loop_y/body/condition)
          loop_y/body/add_next = Add(loop_y/body/old, loop_y/body/x)
          return 0:on=loop_y/body/identity_on, 1:next=loop_y/body/add_next, 2:old=loop_y/body/old
      return y=loop_y
      """, read(model(Models.node("y, all = Loop(, c, w)", body("body", body)))).toString());
  }

  @Test
  void bodiesThatDoNotFitTheirNodeAreRefused() throws IOException {
    assertRefused("branches need no inputs and as many results: inputs=0,0 results=1,2: node=if_y", branch("y = If(c)",
      graph("u = Neg(x)", "u"), graph("u = Neg(x)", "u", "u")));
    assertRefused("a body is missing: attribute=else_branch: node=if_y", Models.node("y = If(c)", body("then_branch",
      graph("u = Neg(x)", "u"))));
    assertRefused("a body gives fewer results than its node: node=2 body=1: node=if_y", branch("y, z = If(c)", graph(
      "u = Neg(x)", "u"), graph("u = Neg(x)", "u")));
    assertRefused("wrong number of inputs or results: inputs=0 wanted=3 results=1 least=2: node=loop_y", Models.node(
      "y = Loop(, c, x)", body("body", graph("u = Neg(x)", "u"))));
  }

  @Test
  void aBodyReadsOnlyWhatIsThere() throws IOException {
    assertRefused("reads an undefined value: node=if_y value=nowhere", branch("y = If(c)", graph("u = Neg(nowhere)",
      "u"), graph("u = Neg(x)", "u")));
    assertRefused("nodes form a cycle: cycle=[if_y, neg_later]",
      branch("y = If(c)", graph("u = Neg(later)", "u"), graph(
        "u = Neg(x)", "u")),
      Models.node("later = Neg(y)"));
  }

  @Test
  void aNodeOfABodyMayNotRedefineAValueFromOutside() throws IOException {
    assertRefused("a body redefines a value from outside: node=if_y/then/neg_x value=x", branch("y = If(c)", graph(
      "x = Neg(w)", "x"), graph("u = Neg(x)", "u")));
  }

  @Test
  void bodiesNestedTooDeeplyAreRefused() throws IOException {
    NodeProto node = Models.node("y = Neg(x)");
    for (int level = 17; level > 0; level--) {
      node = branch("v" + level + " = If(c)", graph(List.of(node), node.getOutput(0)), graph("u = Neg(x)", "u"));
    }
    assertRefused("bodies are nested too deeply: most=16 node=if_v1/then/if_v2/then/", node, Models.node(
      "y = Neg(v1)"));
  }

  @Test
  void aGapInABodyCountsLikeAnyOther() throws IOException {
    var gaps = assertThrows(UnsupportedOperators.class, () -> read(model(branch("y = If(c)", graph("u = Frob(x)", "u"),
      graph("u = Nicate(x)", "u"))))).gaps();
    assertEquals("[if_y/then/frob_u (Frob): no such operator, if_y/else/nicate_u (Nicate): no such operator]", gaps
      .toString());
  }
}
