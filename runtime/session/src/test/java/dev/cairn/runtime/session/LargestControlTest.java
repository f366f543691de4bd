package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One plan for the largest shapes also has steps that run bodies; bodies of smaller shapes lie in the same memory. */
class LargestControlTest {
  private static final SessionOptions OWN_PLANS = SessionOptions.DEFAULT.withThreads(1).withDevice(DeviceOptions.CPU
    .withKernels(Wanted.VECTOR));
  private static final int COLUMNS = 8;
  /** Too many to be unrolled. */
  private static final long TRIPS = 20;

  private final NettySubAllocator source = new NettySubAllocator();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  private static NodeEntry constant(String name, TensorView value) {
    return Node.constant(name, value).entry();
  }

  private static TensorView weights() {
    float[] values = new float[COLUMNS * COLUMNS];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i * 7 % 11 - 5) / 16f;
    }
    return TensorView.ofFloats(Shape.of(COLUMNS, COLUMNS), values);
  }

  /** A loop that carries a product and stacks its sums, then a branch; in the branch another loop. */
  private static Graph model() {
    NodeEntry x = Node.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("rows"),
      new Dimension.Fixed(COLUMNS)))).entry();
    NodeEntry condition = Node.input("c", new DeclaredType(DType.BOOL, List.of())).entry();
    Node loop = loop("loop", x);
    var then = new ControlFixture("if/then");
    NodeEntry inner = then.parameter("x");
    Graph longer = then.body(then.apply("sin", "Sin", loop("if/then/loop", inner).entry()));
    var otherwise = new ControlFixture("if/else");
    NodeEntry other = otherwise.parameter("x");
    NodeEntry product = otherwise.apply("product", "MatMul", other, otherwise.constant("w", weights()));
    Graph shorter = otherwise.body(otherwise.apply("sum", "Add", product, otherwise.apply("t", "Tanh", other)));
    Node branch = ControlFixture.branch("if", longer, shorter, condition, loop.entry());
    NodeEntry sums = loop.entry(1);
    return new Graph("model", List.of(x.node(), condition.node()), List.of(new Graph.Output("y", Node.apply("relu",
      "Relu", Attributes.NONE, List.of(branch.entry())).entry()), new Graph.Output("sums", sums)));
  }

  private static Node loop(String name, NodeEntry x) {
    var body = new ControlFixture(name + "/body");
    body.parameter("trip");
    NodeEntry on = body.parameter("on");
    NodeEntry before = body.parameter("before");
    NodeEntry product = body.apply("product", "MatMul", before, body.constant("w", weights()));
    NodeEntry after = body.apply("after", "Tanh", body.apply("joined", "Add", product, body.apply("cos", "Cos",
      before)));
    Graph inside = body.body(on, after, body.apply("stacked", "Neg", product));
    return ControlFixture.loop(name, inside, 1, constant(name + "/trips", TensorView.ofLong(TRIPS)), Node.absent(), x);
  }

  private static Map<String, Tensor> inputs(int rows, boolean condition) {
    float[] values = new float[rows * COLUMNS];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i * 5 % 13 - 6) / 8f;
    }
    return Map.of("x", Tensor.of(values, rows, COLUMNS), "c", Tensor.of(new boolean[] {condition}));
  }

  private static SessionOptions onePlan(int rows) {
    return OWN_PLANS.withLargestShapes(Map.of("x", Shape.of(rows, COLUMNS), "c", Shape.SCALAR)).withMaxConcurrentRuns(
      1);
  }

  @Test
  void smallerShapesGiveTheBitsOfTheirOwnPlans() {
    try (var one = Session.of(model(), onePlan(40), source); var own = Session.of(model(), OWN_PLANS)) {
      for (int rows : new int[] {40, 1, 39, 16, 7, 0, 40, 3}) {
        for (boolean condition : new boolean[] {true, false}) {
          Map<String, Tensor> given = inputs(rows, condition);
          try (Result actual = one.run(given); Result expected = own.run(given)) {
            for (String name : expected.names()) {
              assertThat(actual.get(name).shape()).isEqualTo(expected.get(name).shape());
              assertThat(actual.get(name).toFloatArray()).as("%s rows=%d", name, rows).containsExactly(expected.get(
                name).toFloatArray());
            }
          }
          given.values().forEach(Tensor::close);
        }
      }
    }
  }

  @Test
  void allShapesRunInTheMemoryOfTheLargest() {
    try (var one = Session.of(model(), onePlan(40), source)) {
      long bytes = one.memoryStats().bytesInUse();
      for (int rows = 1; rows <= 40; rows += 3) {
        Map<String, Tensor> given = inputs(rows, rows % 2 == 0);
        one.run(given).close();
        given.values().forEach(Tensor::close);
        assertThat(one.memoryStats().bytesInUse()).as("rows=%d", rows).isEqualTo(bytes);
        var compiled = one.compiled().orElseThrow();
        assertThat(compiled.storage().steps()).anyMatch(it -> it.operator().equals("If"));
        PlanValidator.requireValid(compiled.storage().problem(), compiled.plan());
      }
    }
  }
}
