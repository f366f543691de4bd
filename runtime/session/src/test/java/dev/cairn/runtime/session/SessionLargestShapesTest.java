package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One plan, made for the largest shapes, serves the smaller ones in the same memory. */
class SessionLargestShapesTest {
  /** Without oneDNN, whose softmax serves plans of one shape alone and rounds otherwise. */
  private static final SessionOptions OWN_PLANS = SessionOptions.DEFAULT.withThreads(1).withDevice(DeviceOptions.CPU
    .withKernels(Wanted.VECTOR));
  private static final SessionOptions ONE_PLAN = OWN_PLANS.withLargestShapes(Map.of("x", Shape.of(32, 8)))
    .withMaxConcurrentRuns(1);

  private final NettySubAllocator source = new NettySubAllocator();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** Branches, something in place, an alias, a reduction, two outputs; the batch open. */
  private static Graph model() {
    var builder = new GraphBuilder("model");
    var type = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"), new Dimension.Fixed(8)));
    NodeEntry x = builder.input("x", type);
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(8, 8), values(64, 3)));
    NodeEntry a = builder.apply("MatMul", x, w);
    NodeEntry b = builder.apply("Relu", a);
    NodeEntry c = builder.apply("Tanh", builder.apply("MatMul", b, w));
    NodeEntry flat = builder.apply("Reshape", builder.apply("Add", a, c),
      builder.constant("s", TensorView.ofLongs(-1, 4)));
    builder.output("flat", builder.apply("Softmax", flat));
    builder.output("mean", builder.apply("Mul", builder.apply("Sub", b, c), x));
    return builder.build();
  }

  /** What a kernel cuts its work into is as large as fits, so for less work it may want more scratch memory. */
  @Test
  void smallerShapesMayWantMoreScratchMemory() {
    requireThatSmallerShapesFit(96);
  }

  @Test
  @Tag("long")
  void manySmallerShapesMayWantMoreScratchMemory() {
    requireThatSmallerShapesFit(12);
  }

  private static void requireThatSmallerShapesFit(int step) {
    var attention = new GraphBuilder("attention");
    NodeEntry q = attention.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(1),
      new Dimension.Fixed(2), new Dimension.Symbol("length"), new Dimension.Fixed(64))));
    attention.output("y", attention.apply("Attention", q, q, q));
    assertShorterOnesFit(attention.build(), 300, step, length -> new long[] {1, 2, length, 64});
    var pool = new GraphBuilder("pool");
    NodeEntry image = pool.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(1),
      new Dimension.Fixed(2), new Dimension.Fixed(64), new Dimension.Symbol("width"))));
    pool.output("y", pool.apply("MaxPool", Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(3, 3)), image));
    assertShorterOnesFit(pool.build(), 640, step, width -> new long[] {1, 2, 64, width});
  }

  /** Texts of one head with a mask each: the graph of one text has the same nodes. */
  @Test
  void oneTextFitsThePlanOfMany() {
    var builder = new GraphBuilder("masked");
    var texts = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("n"), new Dimension.Fixed(4),
      new Dimension.Fixed(4)));
    NodeEntry x = builder.input("x", texts);
    NodeEntry mask = builder.input("mask", texts);
    NodeEntry scores = builder.apply("MatMul", x,
      builder.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints
        .of(0, 2, 1)), x));
    NodeEntry shares = builder.apply("Softmax", Attributes.NONE.with("axis", -1), builder.apply("Add", scores, mask));
    builder.output("y", builder.apply("MatMul", shares, x));
    Graph graph = builder.build();
    Shape most = Shape.of(8, 4, 4);
    try (var one = Session.of(graph, OWN_PLANS.withLargestShapes(Map.of("x", most, "mask", most)));
      var own = Session.of(graph, OWN_PLANS)) {
      for (int n : new int[] {8, 3, 1}) {
        try (Tensor some = Tensor.of(values(16 * n, 3), n, 4, 4);
          Tensor masks = Tensor.of(values(16 * n, 5), n, 4, 4);
          Result fits = one.run(Map.of("x", some, "mask", masks));
          Result wanted = own.run(Map.of("x", some, "mask",
            masks))) {
          assertThat(fits.get("y").toFloatArray()).isEqualTo(wanted.get("y").toFloatArray());
        }
      }
    }
  }

  private static void assertShorterOnesFit(Graph graph, int longest, int step, IntFunction<long[]> shape) {
    try (var one = Session.of(graph, OWN_PLANS.withLargestShapes(Map.of("x", Shape.of(shape.apply(longest)))));
      var own = Session.of(graph, OWN_PLANS)) {
      for (int length = longest; length > longest / 2; length -= step) {
        Shape of = Shape.of(shape.apply(length));
        try (Tensor x = Tensor.of(values((int) of.elementCount(), length), of.extents());
          Result expected = own.run(Map.of("x", x));
          Result actual = one.run(Map.of("x", x))) {
          assertThat(actual.get("y").toFloatArray()).isEqualTo(expected.get("y").toFloatArray());
        }
      }
    }
  }

  private static float[] values(int count, int salt) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (i * 7 + salt) % 11 / 8f - 0.5f;
    }
    return values;
  }

  private static Map<String, Tensor> batch(int items, int salt) {
    return Map.of("x", Tensor.of(values(items * 8, salt), items, 8));
  }

  private static List<float[]> run(Session session, int items, int salt) {
    try (Result result = session.run(batch(items, salt))) {
      return List.of(result.get("flat").toFloatArray(), result.get("mean").toFloatArray());
    }
  }

  @Test
  void everySmallerShapeGivesWhatItsOwnPlanGives() {
    try (var one = Session.of(model(), ONE_PLAN, source); var own = Session.of(model(), OWN_PLANS)) {
      for (int salt = 0; salt < 3; salt++) {
        for (int items : new int[] {32, 1, 31, 2, 17, 0, 16, 32, 3}) {
          List<float[]> expected = run(own, items, salt);
          List<float[]> actual = run(one, items, salt);
          assertThat(actual.get(0)).as("items %d", items).containsExactly(expected.get(0));
          assertThat(actual.get(1)).as("items %d", items).containsExactly(expected.get(1));
        }
      }
    }
  }

  @Test
  void allShapesRunInTheMemoryOfTheLargest() {
    try (var session = Session.of(model(), ONE_PLAN, source)) {
      long blocks = session.memoryStats().liveCount();
      long bytes = session.memoryStats().bytesInUse();
      for (int items = 1; items <= 32; items++) {
        run(session, items, 1);
        assertThat(session.memoryStats().liveCount()).as("weights and pools, nothing a shape").isEqualTo(blocks);
        assertThat(session.memoryStats().bytesInUse()).isEqualTo(bytes);
      }
      assertThat(session.compiled().orElseThrow().plan().pools()).isNotEmpty();
    }
  }

  @Test
  void aLargerShapeIsRefusedWithBothAndTheSessionGoesOn() {
    try (var session = Session.of(model(), ONE_PLAN, source)) {
      assertThatThrownBy(() -> run(session, 33, 0)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("largest").hasMessageContaining("33x8").hasMessageContaining("32").hasMessageContaining(
          "buffer=");
      assertThat(run(session, 32, 0)).hasSize(2);
      assertThatThrownBy(() -> run(session, 1000, 0)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void shapesThatMakeAnotherGraphAreRefused() {
    var builder = new GraphBuilder("expanding");
    var type = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"), new Dimension.Fixed(8)));
    NodeEntry x = builder.input("x", type);
    // Expanding four items to four changes nothing, so the node is not in the graph of the largest shape.
    NodeEntry expanded = builder.apply("Expand", x, builder.constant("to", TensorView.ofLongs(4, 8)));
    builder.output("y", builder.apply("Relu", builder.apply("Tanh", expanded)));
    try (var session = Session.of(builder.build(), OWN_PLANS.withLargestShapes(Map.of("x", Shape.of(4, 8))), source)) {
      session.run(batch(4, 0)).close();
      assertThatThrownBy(() -> session.run(batch(1, 0))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another graph");
      session.run(batch(4, 0)).close();
    }
  }

  @Test
  void plansAreGivenUpButTheLargestStays() {
    try (var session = Session.of(model(), ONE_PLAN.withMaxPlans(2), source)) {
      for (int round = 0; round < 3; round++) {
        for (int items = 1; items <= 8; items++) {
          assertThat(run(session, items, round)).hasSize(2);
        }
      }
    }
  }

  @Test
  void manyThreadsOfManyShapesShareTheExecutors() throws Exception {
    try (var session = Session.of(model(), ONE_PLAN.withMaxConcurrentRuns(3).withMaxPlans(3), source);
      var own = Session.of(model(), OWN_PLANS);
      var threads = Executors.newFixedThreadPool(8)) {
      List<List<float[]>> expected = new ArrayList<>();
      for (int items = 0; items <= 32; items++) {
        expected.add(run(own, items, 5));
      }
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        int salt = t;
        tasks.add(() -> {
          for (int i = 0; i < 15; i++) {
            int items = 1 + (i * 5 + salt) % 32;
            List<float[]> actual = run(session, items, 5);
            assertThat(actual.get(0)).containsExactly(expected.get(items).get(0));
            assertThat(actual.get(1)).containsExactly(expected.get(items).get(1));
          }
          return true;
        });
      }
      for (Future<Boolean> done : threads.invokeAll(tasks)) {
        assertThat(done.get()).isTrue();
      }
    }
  }

  @Test
  void aModelWithoutAPlanIsRefusedByItsNode() {
    var builder = new GraphBuilder("counted");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("n"))));
    NodeEntry shape = builder.input("shape", new DeclaredType(DType.INT64, List.of(new Dimension.Fixed(2))));
    builder.output("y", builder.apply("Reshape", x, shape));
    Graph graph = builder.build();
    SessionOptions options = OWN_PLANS.withLargestShapes(Map.of("x", Shape.of(8), "shape", Shape.of(2)));
    assertThatThrownBy(() -> Session.of(graph, options, source)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("largest shapes need a plan").hasMessageContaining("operator=Reshape")
      .hasMessageContaining("open it without largest shapes");
  }

  @Test
  void aSessionThatCannotPlanTheLargestHoldsNothing() {
    SessionOptions wrong = OWN_PLANS.withLargestShapes(Map.of("x", Shape.of(2, 9)));
    assertThatThrownBy(() -> Session.of(model(), wrong, source)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Session.of(model(), ONE_PLAN.withMemoryLimitBytes(512), source)).isInstanceOf(
      OutOfMemory.class);
  }

  /** Nodes that become one for the largest shapes do so for a batch without images, too. */
  @Test
  void noImagesFitThePlanOfMany() {
    var builder = new GraphBuilder("normalised");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("n"),
      new Dimension.Fixed(6), new Dimension.Fixed(4), new Dimension.Fixed(5))));
    NodeEntry scale = builder.constant("scale", TensorView.ofFloats(Shape.of(3), 1, 2, 3));
    NodeEntry rows = builder.apply("Reshape", x, builder.constant("split", TensorView.ofLongs(-1, 3, 40)));
    NodeEntry even = builder.apply("InstanceNormalization", rows, scale, scale);
    NodeEntry images = builder.apply("Reshape", even, builder.constant("whole", TensorView.ofLongs(-1, 6, 4, 5)));
    builder.output("y", builder.apply("Mul", images, builder.constant("k", TensorView.ofFloats(Shape.of(6, 1, 1),
      values(6, 1)))));
    Graph graph = builder.build();
    try (var one = Session.of(graph, OWN_PLANS.withLargestShapes(Map.of("x", Shape.of(4, 6, 4, 5))));
      var own = Session.of(graph, OWN_PLANS)) {
      for (int n : new int[] {4, 1, 0, 3}) {
        try (Tensor some = Tensor.of(values(120 * n, 3), n, 6, 4, 5);
          Result fits = one.run(Map.of("x", some));
          Result wanted = own.run(Map.of("x", some))) {
          assertThat(fits.get("y").toFloatArray()).isEqualTo(wanted.get("y").toFloatArray());
        }
      }
    }
  }
}
