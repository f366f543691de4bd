package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VariablesTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1);

  private final NettySubAllocator source = new NettySubAllocator();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  private static TensorView floats(float... values) {
    return TensorView.ofFloats(Shape.of(values.length), values);
  }

  /** total = total + sum of x, for x of [batch], the batch open; the output is the old total. */
  private static Graph totalling(boolean withOldTotal) {
    var builder = new GraphBuilder("totalling");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"))));
    NodeEntry total = builder.variable("total", floats(0));
    NodeEntry now = builder.assign(total, builder.apply("Add", total, builder.apply("ReduceSum", x)));
    builder.output("now", now);
    if (withOldTotal) {
      builder.output("before", total);
    }
    return builder.build();
  }

  private Session open(Graph graph) {
    return Session.of(graph, OPTIONS, source);
  }

  private static float[] ones(int count) {
    float[] values = new float[count];
    Arrays.fill(values, 1);
    return values;
  }

  /** It would wait for the very run that it is in. */
  @Test
  void aVariableIsNotSetInsideARunOfItsSession() {
    for (boolean assigns : new boolean[] {false, true}) {
      var builder = new GraphBuilder("observed");
      NodeEntry w = builder.variable("w", floats(1));
      NodeEntry sum = builder.apply("Add", w, builder.constant("one", floats(1)));
      builder.output("y", assigns ? builder.assign(w, sum) : sum);
      var session = new AtomicReference<Session>();
      var refused = new ArrayList<Throwable>();
      RunObserver.Source watching = _ -> new RunObserver() {
        @Override
        public void stepBegan(int step, int stream) {
          try (Tensor value = Tensor.of(new float[] {5}, 1)) {
            Objects.requireNonNull(session.get()).setVariable("w", value);
          } catch (IllegalStateException e) {
            refused.add(e);
          }
        }
      };
      try (Session opened = Session.of(builder.build(), OPTIONS.withObservers(watching), source)) {
        session.set(opened);
        opened.run(Map.of()).close();
        assertThat(refused).isNotEmpty().allSatisfy(it -> assertThat(it).hasMessageContaining(
          "a variable cannot be set inside a run of its session: name=w"));
        try (Tensor value = Tensor.of(new float[] {5}, 1)) {
          opened.setVariable("w", value);
        }
        refused.clear();
      }
    }
  }

  /** Upstream's own case: w = assign(w, w + 1); w2 = assign(w2, w + 1). */
  @Test
  void aChainOfAssignsSeesTheNewValueAndCopiesNothing() {
    float[] data = new float[5 * 3 * 18 * 18];
    for (int i = 0; i < data.length; i++) {
      data[i] = i % 97;
    }
    var builder = new GraphBuilder("upstream");
    Shape shape = Shape.of(5, 3, 18, 18);
    NodeEntry one = builder.constant("one", floats(1));
    NodeEntry w = builder.variable("w", TensorView.ofFloats(shape, data));
    NodeEntry w2 = builder.variable("w2", TensorView.ofFloats(shape, data));
    NodeEntry newW = builder.assign(w, builder.apply("Add", w, one));
    builder.output("w2", builder.assign(w2, builder.apply("Add", newW, one)));
    try (var session = open(builder.build())) {
      var storage = session.compiled().orElseThrow().storage();
      assertThat(storage.steps()).extracting(it -> it.operator()).containsExactly("Add", "Add");
      assertThat(storage.variables().direct()).hasSize(2);
      assertThat(storage.problem().size()).as("nothing to plan").isZero();
      for (int run = 1; run <= 2; run++) {
        try (var result = session.run(Map.of())) {
          float[] w2Now = result.get("w2").toFloatArray();
          float[] wNow = session.variable("w").toFloatArray();
          for (int i = 0; i < data.length; i++) {
            assertThat(w2Now[i]).isEqualTo(data[i] + 1 + run);
            assertThat(wNow[i]).isEqualTo(data[i] + run);
          }
          assertThat(session.variable("w2").toFloatArray()).containsExactly(w2Now);
        }
      }
    }
  }

  @Test
  void plansOfAllShapesShareTheVariable() {
    for (boolean withOldTotal : new boolean[] {false, true}) {
      try (var session = Session.of(totalling(withOldTotal), OPTIONS.withMaxPlans(2), source)) {
        float wanted = 0;
        for (int batch = 1; batch <= 6; batch++) {
          try (var result = session.run(Map.of("x", Tensor.of(ones(batch), batch)))) {
            if (withOldTotal) {
              assertThat(result.get("before").toFloatArray()).containsExactly(wanted);
            }
            wanted += batch;
            assertThat(result.get("now").toFloatArray()).containsExactly(wanted);
          }
        }
        assertThat(session.variable("total").toFloatArray()).containsExactly(21);
      }
    }
  }

  @Test
  void sessionsHaveTheirOwnAndTheGraphKeepsItsInitialValue() {
    Graph graph = totalling(false);
    try (var one = open(graph); var other = open(graph)) {
      one.run(Map.of("x", Tensor.of(ones(3), 3))).close();
      other.run(Map.of("x", Tensor.of(ones(5), 5))).close();
      one.run(Map.of("x", Tensor.of(ones(3), 3))).close();
      assertThat(one.variable("total").toFloatArray()).containsExactly(6);
      assertThat(other.variable("total").toFloatArray()).containsExactly(5);
    }
    try (var later = open(graph)) {
      assertThat(later.variable("total").toFloatArray()).as("before any run").containsExactly(0);
    }
  }

  @Test
  void aVariableCanBeSetAndGotByName() {
    try (var session = open(totalling(false))) {
      assertThat(session.info().variables()).containsExactly(Map.entry("total", TensorType.of(DType.FLOAT32, 1)));
      session.setVariable("total", Tensor.of(new float[] {40}, 1));
      Tensor copy = session.variable("total");
      session.run(Map.of("x", Tensor.of(ones(2), 2))).close();
      assertThat(copy.toFloatArray()).as("a copy").containsExactly(40);
      assertThat(session.variable("total").toFloatArray()).containsExactly(42);
    }
  }

  @Test
  void refusesNamesAndTypesThatAreNotTheVariables() {
    var session = open(totalling(false));
    assertThatThrownBy(() -> session.variable("none")).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("[total]");
    assertThatThrownBy(() -> session.setVariable("x", Tensor.of(ones(1), 1)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("no such variable");
    assertThatThrownBy(() -> session.setVariable("total", Tensor.of(ones(2), 2)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("value=float32[2]");
    assertThatThrownBy(() -> session.setVariable("total", Tensor.of(new long[] {1}, 1)))
      .isInstanceOf(IllegalArgumentException.class);
    Tensor closed = Tensor.of(ones(1), 1);
    closed.close();
    assertThatThrownBy(() -> session.setVariable("total", closed)).isInstanceOf(IllegalStateException.class);
    assertThat(session.variable("total").toFloatArray()).containsExactly(0);
    session.close();
    assertThatThrownBy(() -> session.variable("total")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> session.setVariable("total", Tensor.of(ones(1), 1)))
      .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aRunThatIsRefusedLeavesTheVariables() {
    try (var session = open(totalling(false))) {
      assertThatThrownBy(() -> session.run(Map.of())).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> session.run(Map.of("x", Tensor.of(new long[] {1}, 1))))
        .isInstanceOf(IllegalArgumentException.class);
      assertThat(session.variable("total").toFloatArray()).containsExactly(0);
    }
  }

  /** Runs that assign are whole: each reads what the one before it left, and gives its own result. */
  @Test
  void concurrentRunsCountEveryOne() throws Exception {
    int runs = 200;
    try (var session = open(totalling(true)); var threads = Executors.newFixedThreadPool(4)) {
      List<Callable<float[]>> work = new ArrayList<>();
      for (int i = 0; i < runs; i++) {
        int batch = 1 + i % 3;
        work.add(() -> {
          try (var result = session.run(Map.of("x", Tensor.of(ones(batch), batch)))) {
            assertThat(session.variable("total").toFloatArray()[0]).isGreaterThan(0);
            return new float[] {result.get("before").toFloatArray()[0], result.get("now").toFloatArray()[0], batch};
          }
        });
      }
      List<Float> totals = new ArrayList<>();
      float wanted = 0;
      for (Future<float[]> done : threads.invokeAll(work)) {
        float[] seen = done.get();
        assertThat(seen[1]).isEqualTo(seen[0] + seen[2]);
        totals.add(seen[1]);
        wanted += seen[2];
      }
      assertThat(totals).doesNotHaveDuplicates();
      assertThat(session.variable("total").toFloatArray()).containsExactly(wanted);
    }
  }

  /** Memory for one run only: the others wait for the variable, not for memory that they hold themselves. */
  @Test
  void concurrentRunsOfManyShapesFitWhereOneDoes() throws Exception {
    try (var session = Session.of(totalling(true), OPTIONS.withMemoryLimitBytes(3 << 10), source);
      var threads = Executors.newFixedThreadPool(4)) {
      List<Callable<Boolean>> work = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        int batch = 1 + i % 7;
        work.add(() -> {
          session.run(Map.of("x", Tensor.of(ones(batch), batch))).close();
          return true;
        });
      }
      for (Future<Boolean> done : threads.invokeAll(work)) {
        assertThat(done.get()).isTrue();
      }
      assertThat(session.variable("total").toFloatArray()).containsExactly(14 * 28 + 3);
    }
  }

  @Test
  void aRunThatFailsMidwayLeavesTheSessionUsable() {
    var builder = new GraphBuilder("gather");
    NodeEntry index = builder.input("index", TensorType.of(DType.INT64, 1));
    NodeEntry w = builder.variable("w", floats(1, 2, 3));
    NodeEntry picked = builder.apply("Gather", w, index);
    builder.output("w", builder.assign(w, builder.apply("Add", w, picked)));
    try (var session = open(builder.build())) {
      assertThatThrownBy(() -> session.run(Map.of("index", Tensor.of(new long[] {9}, 1))))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Gather");
      assertThat(session.variable("w").toFloatArray()).as("nothing was assigned yet").containsExactly(1, 2, 3);
      try (var result = session.run(Map.of("index", Tensor.of(new long[] {1}, 1)))) {
        assertThat(result.get("w").toFloatArray()).containsExactly(3, 4, 5);
      }
    }
  }

  @Test
  void aRunningMeanGivesOldAndNewValue() {
    var builder = new GraphBuilder("running mean");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    NodeEntry mean = builder.variable("mean", floats(0, 0));
    NodeEntry step = builder.apply("Mul", builder.apply("Sub", x, mean), builder.constant("rate", floats(0.5f)));
    builder.output("before", mean);
    builder.output("now", builder.assign(mean, builder.apply("Add", mean, step)));
    try (var session = open(builder.build())) {
      float[] wanted = {0, 0};
      for (int run = 0; run < 5; run++) {
        try (var result = session.run(Map.of("x", Tensor.of(new float[] {8, run}, 2)))) {
          assertThat(result.get("before").toFloatArray()).containsExactly(wanted);
          wanted[0] += (8 - wanted[0]) * 0.5f;
          wanted[1] += (run - wanted[1]) * 0.5f;
          assertThat(result.get("now").toFloatArray()).containsExactly(wanted);
        }
      }
    }
  }

  @Test
  void aGraphWithoutOutputsStillAssigns() {
    var builder = new GraphBuilder("counter");
    NodeEntry count = builder.variable("count", floats(0));
    builder.assign(count, builder.apply("Add", count, builder.constant("one", floats(1))));
    try (var session = open(builder.build())) {
      for (int i = 0; i < 5; i++) {
        session.run(Map.of()).close();
      }
      assertThat(session.variable("count").toFloatArray()).containsExactly(5);
    }
  }

  @Test
  void valuesCanBeSwapped() {
    var builder = new GraphBuilder("swap");
    NodeEntry a = builder.variable("a", floats(1, 2));
    NodeEntry b = builder.variable("b", floats(3, 4));
    builder.assign(a, b);
    builder.assign(b, a);
    try (var session = open(builder.build())) {
      for (int run = 1; run <= 3; run++) {
        session.run(Map.of()).close();
        assertThat(session.variable("a").toFloatArray()).containsExactly(run % 2 == 1
          ? new float[] {3, 4}
          : new float[] {1, 2});
        assertThat(session.variable("b").toFloatArray()).containsExactly(run % 2 == 1
          ? new float[] {1, 2}
          : new float[] {3, 4});
      }
    }
  }

  /** Only the variable's extents are read, which folding knows: no plan has it, and it is there all the same. */
  @Test
  void aVariableThatNoStepReadsIsStillTheSessions() {
    var builder = new GraphBuilder("extents");
    builder.output("shape", builder.apply("Shape", builder.variable("w", floats(7, 8, 9))));
    try (var session = open(builder.build()); var result = session.run(Map.of())) {
      assertThat(result.get("shape").toLongArray()).containsExactly(3);
      assertThat(session.variable("w").toFloatArray()).containsExactly(7, 8, 9);
    }
  }

  @Test
  void aVariableWithoutElementsIsPossible() {
    var builder = new GraphBuilder("empty");
    NodeEntry w = builder.variable("w", floats());
    builder.output("y", builder.assign(w, builder.apply("Neg", w)));
    try (var session = open(builder.build()); var result = session.run(Map.of())) {
      assertThat(result.get("y").toFloatArray()).isEmpty();
      session.setVariable("w", Tensor.of(new float[0], 0));
      assertThat(session.variable("w").toFloatArray()).isEmpty();
    }
  }

  @Test
  void variablesThatDoNotFitHoldNothing() {
    var builder = new GraphBuilder("large");
    for (String name : List.of("a", "b", "c")) {
      NodeEntry w = builder.variable(name, floats(new float[64]));
      builder.assign(w, builder.apply("Neg", w));
    }
    Graph graph = builder.build();
    for (long limit : new long[] {0, 255, 256, 512, 767}) {
      assertThatThrownBy(() -> Session.of(graph, OPTIONS.withMemoryLimitBytes(limit), source))
        .as("limit %d", limit).isInstanceOfSatisfying(OutOfMemory.class, it -> assertThat(it.owner().operator())
          .startsWith("variable/"));
      assertThat(source.heldBytes()).isZero();
    }
    try (var session = Session.of(graph, OPTIONS.withMemoryLimitBytes(768), source)) {
      session.run(Map.of()).close();
      assertThat(session.memoryStats().bytesInUse()).isEqualTo(768);
    }
  }
}
