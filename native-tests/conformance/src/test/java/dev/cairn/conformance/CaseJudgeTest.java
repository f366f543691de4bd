package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.OnnxTensors;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each verdict is reached, and a wrong output or an unknown reason is a failure. */
class CaseJudgeTest {
  private static final TensorView X = TensorView.ofFloats(Shape.of(2, 3), 1, -2, 3, -4, 5, -6);

  @TempDir
  private Path folder;

  @Test
  void rightOutputPasses() throws IOException {
    assertEquals(new Verdict.Passed(), judge(relu(), List.of(X), floats(2, 3, 1, 0, 3, 0, 5, 0)));
  }

  @Test
  void wrongOutputFails() throws IOException {
    var verdict = judge(relu(), List.of(X), floats(2, 3, 1, 0, 3, 0, 5, 0.001f));
    assertTrue(assertInstanceOf(Verdict.Failed.class, verdict).reason().contains("element 5"), verdict.toString());
  }

  @Test
  void wrongShapeFails() throws IOException {
    assertInstanceOf(Verdict.Failed.class, judge(relu(), List.of(X), floats(3, 2, 1, 0, 3, 0, 5, 0)));
  }

  @Test
  void shapeThatComesWithARunIsPlannedForItsValue() throws IOException {
    var graph = new GraphBuilder("reshape");
    NodeEntry x = graph.input("x", X.type());
    NodeEntry shape = graph.input("shape", TensorType.of(DType.INT64, 2));
    graph.output("y", graph.apply("Reshape", x, graph.apply("Identity", shape)));
    assertEquals(new Verdict.Passed(), judge(graph.build(), List.of(X, TensorView.ofLongs(3, -1)),
      floats(3, 2, 1, -2, 3, -4, 5, -6)));
  }

  @Test
  void shapeThatIsComputedFromDataRunsNodeByNode() throws IOException {
    var graph = new GraphBuilder("data");
    TensorView many = TensorView.ofLongs(new long[2_000]);
    NodeEntry x = graph.input("x", many.type());
    NodeEntry sum = graph.apply("ReduceSum", Attributes.NONE.with("keepdims", 1), x);
    graph.output("y", graph.apply("ConstantOfShape", sum));
    Graph made = graph.build();
    assertEquals(new Verdict.PassedNodeByNode(""), judge(made, List.of(many), TensorView.ofFloats(Shape.of(0))));
    assertInstanceOf(Verdict.Failed.class, judge(made, List.of(many), TensorView.ofFloats(Shape.of(1), 0)));
  }

  @Test
  void unknownOperatorIsNotClaimed() throws IOException {
    var graph = new GraphBuilder("unknown");
    graph.output("y", graph.apply("Frobnicate", graph.input("x", X.type())));
    var reasons = new TreeSet<>(List.of("no operator Frobnicate"));
    assertEquals(new Verdict.NotClaimed(reasons), judge(graph.build(), List.of(X), X));
  }

  @Test
  void brokenUseOfAClaimedOperatorFails() throws IOException {
    var graph = new GraphBuilder("transpose");
    graph.output("y", graph.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(0, 0)),
      graph.input("x", X.type())));
    assertInstanceOf(Verdict.Failed.class, judge(graph.build(), List.of(X), X));
  }

  @Test
  void reasonsThatTheTablesDoNotBearOutAreFailures() {
    assertInstanceOf(Verdict.Failed.class, Gaps.ofReader(gap("Relu", "no such operator")));
    assertInstanceOf(Verdict.Failed.class, Gaps.ofReader(gap("input", "element type float32")));
    assertInstanceOf(Verdict.Failed.class, Gaps.ofReader(gap("Relu", "no wish to")));
    assertInstanceOf(Verdict.Failed.class, Gaps.ofCompiler(gap("Relu", "no kernel for [float32[2]]")));
    assertInstanceOf(Verdict.Failed.class, Gaps.ofCompiler(gap("Absent", "no kernel for [float32[2]]")));
    assertInstanceOf(Verdict.NotClaimed.class, Gaps.ofCompiler(gap("Relu", "no kernel for [bool[2]]")));
  }

  private static List<Gap> gap(String operator, String reason) {
    return List.of(new Gap("node", operator, reason));
  }

  private static Graph relu() {
    var graph = new GraphBuilder("relu");
    graph.output("y", graph.apply("Relu", graph.input("x", X.type())));
    return graph.build();
  }

  private static TensorView floats(long rows, long columns, float... values) {
    return TensorView.ofFloats(Shape.of(rows, columns), values.length == rows * columns ? values : new float[0]);
  }

  private Verdict judge(Graph graph, List<TensorView> inputs, TensorView wanted) throws IOException {
    SortedMap<String, byte[]> files = new TreeMap<>();
    Path file = folder.resolve("written");
    OnnxWriter.write(graph, List.of(DeclaredType.of(wanted.type())), file);
    files.put("model.onnx", Files.readAllBytes(file));
    for (int i = 0; i < inputs.size(); i++) {
      OnnxTensors.write("input", inputs.get(i), file);
      files.put("test_data_set_0/input_%d.pb".formatted(i), Files.readAllBytes(file));
    }
    OnnxTensors.write("output", wanted, file);
    files.put("test_data_set_0/output_0.pb", Files.readAllBytes(file));
    try (var runner = new PlannedRun()) {
      return new CaseJudge(runner, folder, CaseJudge.SETTINGS).judge(new NodeCase("test_made_up", files));
    }
  }
}
