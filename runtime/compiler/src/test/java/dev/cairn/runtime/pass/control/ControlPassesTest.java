package dev.cairn.runtime.pass.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.UnreadSlices;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.simplify.RemoveIdentityPass;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlPassesTest {
  private static final TypeInference INFERENCE = new TypeInference(StandardOperators.table(), ValueEvaluator.NONE);

  private final GraphFixture fixture = new GraphFixture();

  private static String after(Graph graph, Pass pass) {
    return new PassManager(it -> INFERENCE.infer(it, GraphFixture.inputTypes(it))).run(graph, List.of(pass)).graph()
      .toString();
  }

  private Node branch(NodeEntry condition) {
    NodeEntry x = fixture.input("x", "float32[2]");
    NodeEntry w = fixture.constant("w", ControlFixture.floats(1, 2));
    var then = new ControlFixture("if/then");
    NodeEntry a = then.parameter("x");
    Graph sum = then.body(then.apply("sum", "Add", then.apply("same", "Identity", a), then.parameter("w")));
    var otherwise = new ControlFixture("if/else");
    NodeEntry b = otherwise.parameter("x");
    otherwise.parameter("w");
    return ControlFixture.branch("if", sum, otherwise.body(otherwise.apply("neg", "Neg", b)), condition, x, w);
  }

  @Test
  void aBranchThatIsAlwaysTakenTakesTheNodesPlace() {
    Node branch = branch(fixture.constant("c", ControlFixture.bool(false)));
    assertThat(after(fixture.graph(branch.entry()), new ResolveControlPass())).isEqualTo("""
      x = input float32[2]
      if/else/neg = Neg(x)
      return if=if/else/neg
      """);
  }

  @Test
  void passesRunInBodiesConstantsAreCopiedAndWhatNothingReadsIsNoOperand() {
    Node branch = branch(fixture.input("c", "bool[scalar]"));
    var pass = new BodiesPass(List.of(new RemoveIdentityPass()), INFERENCE::infer);
    assertThat(after(fixture.graph(branch.entry()), pass)).isEqualTo("""
      c = input bool[scalar]
      x = input float32[2]
      if = If(c, x)
        then
          if/then/x = parameter
          if/then/w/value = constant float32[2]
          if/then/sum = Add(if/then/x, if/then/w/value)
          return result0=if/then/sum
        else
          if/else/x = parameter
          if/else/neg = Neg(if/else/x)
          return result0=if/else/neg
      return if=if
      """);
  }

  private Node scan() {
    NodeEntry x = fixture.input("x", "float32[2x3]");
    NodeEntry first = fixture.input("first", "float32[2]");
    var body = new ControlFixture("scan/body");
    body.parameter("trip");
    NodeEntry condition = body.parameter("condition");
    NodeEntry sum = body.apply("add", "Add", body.parameter("sum"), body.parameter("slice"));
    var kind = new NodeKind.Repeat(body.body(condition, sum, sum), 1, List.of(new NodeKind.Repeat.Slices(1, true)), List
      .of(new NodeKind.Repeat.Slices(0, true)));
    return Node.control("scan", kind, List.of(fixture.constant("most", TensorView.ofLong(2)), Node.absent(), first, x));
  }

  @Test
  void aShortLoopBecomesItsTrips() {
    Node scan = scan();
    assertThat(after(fixture.graph(scan.entry(), scan.entry(1)), new ResolveControlPass())).isEqualTo("""
      x = input float32[2x3]
      first = input float32[2]
      scan/index[0] = constant int64[scalar]
      scan/slice[0] = Gather{axis=1}(x, scan/index[0])
      scan/body/add[0] = Add(first, scan/slice[0])
      scan/index[1] = constant int64[scalar]
      scan/slice[1] = Gather{axis=1}(x, scan/index[1])
      scan/body/add[1] = Add(scan/body/add[0], scan/slice[1])
      scan/axes = constant int64[1]
      scan/part_1 = Unsqueeze(scan/body/add[1], scan/axes)
      scan/part = Unsqueeze(scan/body/add[0], scan/axes)
      scan/stacked = Concat{axis=0}(scan/part_1, scan/part)
      return scan=scan/body/add[1], scan:1=scan/stacked
      """);
  }

  @Test
  void slicesThatNothingReadsAreNotStacked() {
    assertThat(UnreadSlices.dropped(fixture.graph(scan().entry())).toString()).isEqualTo("""
      x = input float32[2x3]
      first = input float32[2]
      most = constant int64[scalar]
      scan = Scan{carried=1, scanned=[1 backwards], stacked=[]}(most, _, first, x)
        body
          scan/body/trip = parameter
          scan/body/condition = parameter
          scan/body/sum = parameter
          scan/body/slice = parameter
          scan/body/add = Add(scan/body/sum, scan/body/slice)
          return result0=scan/body/condition, result1=scan/body/add
      return scan=scan
      """);
  }
}
