package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.PoolEvent;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.backend.HostBackend;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMemory;
import dev.cairn.testing.Reclaimed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SessionTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(2);

  /** y = relu(x . w) + 1 for x of [batch, 2], the batch open. */
  private static Graph model() {
    var builder = new GraphBuilder("model");
    var type = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"), new Dimension.Fixed(2)));
    NodeEntry x = builder.input("x", type);
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(2, 3), 1, -1, 2, 0, 1, -2));
    NodeEntry relu = builder.apply("Relu", builder.apply("MatMul", x, w));
    builder.output("y", builder.apply("Add", relu, builder.constant("one", TensorView.ofFloats(Shape.of(1), 1))));
    return builder.build();
  }

  private static float[] expected(float[] x) {
    float[] y = new float[x.length / 2 * 3];
    float[][] w = {{1, -1, 2}, {0, 1, -2}};
    for (int row = 0; row < x.length / 2; row++) {
      for (int column = 0; column < 3; column++) {
        y[row * 3 + column] = Math.max(0, x[row * 2] * w[0][column] + x[row * 2 + 1] * w[1][column]) + 1;
      }
    }
    return y;
  }

  @Test
  void anInputWithAnOpenTypeTakesTheTypeOfEachRunsTensor() {
    var builder = new GraphBuilder("open");
    NodeEntry x = builder.input("x", DeclaredType.OPEN);
    builder.output("y", builder.apply("Add", x, x));
    try (var session = Session.of(builder.build(), OPTIONS);
      var floats = session.run(Map.of("x", Tensor.of(new float[] {1, 2}, 1, 2)));
      var longs = session.run(Map.of("x", Tensor.of(new long[] {3}, 1)))) {
      assertThat(floats.get("y").toFloatArray()).containsExactly(2, 4);
      assertThat(longs.get("y").toLongArray()).containsExactly(6);
    }
  }

  private static float[] values(int batch, int salt) {
    float[] values = new float[batch * 2];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i * 7 + salt) % 11 - 5;
    }
    return values;
  }

  @Test
  void runsAndGivesTheOutputsByName() {
    try (var session = Session.of(model(), OPTIONS);
      var x = Tensor.of(new float[] {1, 2}, 1, 2);
      var result = session.run(Map.of("x", x))) {
      assertThat(result.names()).containsExactly("y");
      assertThat(result.get("y").type()).isEqualTo(TensorType.of(DType.FLOAT32, 1, 3));
      assertThat(result.get("y").toFloatArray()).containsExactly(expected(new float[] {1, 2}));
      assertThatThrownBy(() -> result.get("z")).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[y]");
    }
  }

  @Test
  void plansForEachShapeAndKeepsTheLastOnes() {
    try (var session = Session.of(model(), OPTIONS.withMaxPlans(2))) {
      for (int round = 0; round < 3; round++) {
        for (int batch = 1; batch <= 5; batch++) {
          float[] values = values(batch, round);
          try (var result = session.run(Map.of("x", Tensor.of(values, batch, 2)))) {
            assertThat(result.get("y").toFloatArray()).containsExactly(expected(values));
          }
        }
      }
      assertThat(session.memoryStats().liveCount()).as("weights, and one pool for each of two plans")
        .isLessThanOrEqualTo(4);
    }
  }

  @Test
  void moreInUseAtATimeThanAreKeptGoWhenTheyAreGivenBack() {
    SessionOptions options = OPTIONS.withMaxPlans(1).withCompile(CompileOptions.DEFAULT.withInPlace(false));
    var model = new LoadedModel(model(), options, new HostBackend(OPTIONS.threadsOfKernel(), new NettySubAllocator(),
      "as asked for", Backends.processorKernels(DeviceOptions.CPU, OPTIONS.threadsOfKernel())));
    try {
      PlanCache.Entry one = planned(model, 1);
      long live = model.memory().pool().stats().liveCount();
      PlanCache.Entry two = planned(model, 2);
      assertThat(model.memory().pool().stats().liveCount()).isEqualTo(live + 1);
      model.plans().giveBack(one);
      model.plans().giveBack(two);
      assertThat(model.memory().pool().stats().liveCount()).isEqualTo(live);
    } finally {
      model.release();
    }
  }

  private static PlanCache.Entry planned(LoadedModel model, int batch) {
    PlanCache.Entry planned = model.plans().take(InputBinding.ofShapes(model(), Map.of("x", Shape.of(batch, 2))),
      RunLimit.NONE).orElseThrow();
    planned.executor().prepare();
    return planned;
  }

  /** Batch normalisation is folded anew for each batch: those weights must go with the plan. */
  @Test
  void weightsThatAPlanFoldedGoWithThePlan() {
    var builder = new GraphBuilder("folded");
    var type = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"), new Dimension.Fixed(1),
      new Dimension.Fixed(4), new Dimension.Fixed(4)));
    NodeEntry conv = builder.apply("Conv", builder.input("x", type),
      builder.constant("w", TensorView.ofFloats(Shape.of(1, 1,
        3, 3), 1, 2, 3, 4, 5, 6, 7, 8, 9)));
    NodeEntry one = builder.constant("one", TensorView.ofFloats(Shape.of(1), 2));
    builder.output("y", builder.apply("BatchNormalization", conv, one, one, one, one));
    try (var session = Session.of(builder.build(), OPTIONS.withMaxPlans(1))) {
      session.run(Map.of("x", Tensor.of(new float[16], 1, 1, 4, 4))).close();
      long live = session.memoryStats().liveCount();
      for (int batch = 2; batch < 20; batch++) {
        session.run(Map.of("x", Tensor.of(new float[16 * batch], batch, 1, 4, 4))).close();
        assertThat(session.memoryStats().liveCount()).isEqualTo(live);
      }
    }
  }

  @Test
  void anOutputIsClosedWithItsResultAndNotAlone() {
    try (var session = Session.of(model(), OPTIONS)) {
      Result result = session.run(Map.of("x", Tensor.of(new float[2], 1, 2)));
      Tensor y = result.get("y");
      assertThatThrownBy(y::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("result");
      TensorMemory.of(y).beginUse(DeviceId.CPU);
      assertThatThrownBy(result::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("reads it now");
      TensorMemory.of(y).endUse();
      assertThat(y.toFloatArray()).hasSize(3);
      result.close();
      assertThatThrownBy(y::toFloatArray).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void anEmptyBatchGivesAnEmptyResult() {
    try (var session = Session.of(model(), OPTIONS);
      var result = session.run(Map.of("x", Tensor.of(new float[0], 0, 2)))) {
      assertThat(result.get("y").shape()).isEqualTo(Shape.of(0, 3));
    }
  }

  @Test
  void wrongInputsAreRefusedWithBothSides() {
    try (var session = Session.of(model(), OPTIONS)) {
      assertThatThrownBy(() -> session.run(Map.of())).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("x");
      assertThatThrownBy(() -> session.run(Map.of("x", Tensor.of(new float[3], 1, 3))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("float32[batch x 2]")
        .hasMessageContaining("float32[1x3]");
      assertThatThrownBy(() -> session.run(Map.of("x", Tensor.of(new long[2], 1, 2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("int64[1x2]");
      assertThatThrownBy(() -> session.run(Map.of("q", Tensor.of(new float[2], 1, 2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[x]");
      try (var result = session.run(Map.of("x", Tensor.of(new float[2], 1, 2)))) {
        assertThat(result.names()).hasSize(1);
      }
    }
  }

  @Test
  void closingTwiceThrowsAndAClosedSessionRefuses() {
    var session = Session.of(model(), OPTIONS);
    session.close();
    assertThatThrownBy(session::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("twice");
    assertThatThrownBy(() -> session.run(Map.of("x", Tensor.of(new float[2], 1, 2))))
      .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aResultOutlivesLaterRunsAndItsSession() {
    var session = Session.of(model(), OPTIONS);
    float[] first = values(2, 1);
    Result result = session.run(Map.of("x", Tensor.of(first, 2, 2)));
    session.run(Map.of("x", Tensor.of(values(2, 5), 2, 2))).close();
    session.close();
    Tensor y = result.get("y");
    assertThat(y.toFloatArray()).containsExactly(expected(first));
    result.close();
    assertThatThrownBy(result::close).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> result.get("y")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(y::toFloatArray).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void memoryInUseReturnsToWhatWeightsAndPlansTake() {
    try (var session = Session.of(model(), OPTIONS)) {
      session.run(Map.of("x", Tensor.of(values(4, 0), 4, 2))).close();
      long atRest = session.memoryStats().bytesInUse();
      for (int i = 0; i < 50; i++) {
        session.run(Map.of("x", Tensor.of(values(4, i), 4, 2))).close();
      }
      assertThat(session.memoryStats().bytesInUse()).isEqualTo(atRest);
    }
  }

  @Test
  void aLimitTooSmallForTheWeightsIsOutOfMemory() {
    assertThatThrownBy(
      () -> Session.of(model(), OPTIONS.withMemoryLimitBytes(16).withShapes(Map.of("x", Shape.of(1, 2)))))
      .isInstanceOfSatisfying(OutOfMemory.class, e -> assertThat(e.owner().operator()).isEqualTo("weights"));
  }

  @Test
  void aLimitTooSmallForOneRunLeavesTheSessionUsable() {
    try (var session = Session.of(model(), OPTIONS.withMemoryLimitBytes(4096))) {
      assertThatThrownBy(() -> session.run(Map.of("x", Tensor.of(values(1000, 0), 1000, 2))))
        .isInstanceOfSatisfying(OutOfMemory.class, e -> assertThat(e.lastEvents()).anyMatch(
          event -> event.kind() == PoolEvent.Kind.GRANT && event.owner().operator().equals("weights")));
      float[] small = values(3, 0);
      try (var result = session.run(Map.of("x", Tensor.of(small, 3, 2)))) {
        assertThat(result.get("y").toFloatArray()).containsExactly(expected(small));
      }
    }
  }

  @Test
  void manyThreadsShareOneSessionWithinTheLimit() throws Exception {
    // Room for about three executors, and for the results that sixteen threads hold.
    long limit = 256 << 10;
    try (var session = Session.of(model(), OPTIONS.withMemoryLimitBytes(limit).withMaxConcurrentRuns(64));
      var threads = Executors.newFixedThreadPool(16)) {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int t = 0; t < 64; t++) {
        int salt = t;
        tasks.add(() -> {
          float[] values = values(100, salt);
          boolean equal = true;
          for (int i = 0; i < 20; i++) {
            try (var result = session.run(Map.of("x", Tensor.of(values, 100, 2)))) {
              equal &= Arrays.equals(result.get("y").toFloatArray(), expected(values));
            }
          }
          return equal;
        });
      }
      for (Future<Boolean> done : threads.invokeAll(tasks)) {
        assertThat(done.get()).isTrue();
      }
      assertThat(session.memoryStats().peakPoolBytes()).isLessThanOrEqualTo(limit);
    }
  }

  /** Plans of other shapes, idle or running, must never make a run fail that fits by itself. */
  @Test
  void runsOfManyShapesShareATightLimit() throws Exception {
    int largest = 500;
    long need;
    try (var alone = Session.of(model(), OPTIONS)) {
      alone.run(Map.of("x", Tensor.of(values(largest, 0), largest, 2))).close();
      need = alone.memoryStats().peakPoolBytes();
    }
    try (var session = Session.of(model(), OPTIONS.withMemoryLimitBytes(need));
      var threads = Executors.newFixedThreadPool(8)) {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        int salt = t;
        tasks.add(() -> {
          boolean equal = true;
          for (int i = 0; i < 30; i++) {
            int batch = new int[] {1, 40, 170, 330, largest}[(i + salt) % 5];
            float[] values = values(batch, salt);
            // There is one result at a time: the session cannot reclaim results that a caller keeps.
            synchronized (session) {
              try (var result = session.run(Map.of("x", Tensor.of(values, batch, 2)))) {
                equal &= Arrays.equals(result.get("y").toFloatArray(), expected(values));
              }
            }
          }
          return equal;
        });
      }
      for (Future<Boolean> done : threads.invokeAll(tasks)) {
        assertThat(done.get()).isTrue();
      }
      assertThat(session.memoryStats().peakPoolBytes()).isLessThanOrEqualTo(need);
    }
  }

  @Test
  void runsOfManyShapesAtOnceWaitForEachOther() throws Exception {
    try (var session = Session.of(model(), OPTIONS.withMemoryLimitBytes(192 << 10));
      var threads = Executors.newFixedThreadPool(6)) {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int t = 0; t < 6; t++) {
        int salt = t;
        tasks.add(() -> {
          boolean equal = true;
          for (int i = 0; i < 60; i++) {
            int batch = new int[] {1, 40, 170, 330, 500}[(i + salt) % 5];
            float[] values = values(batch, salt);
            try (var result = session.run(Map.of("x", Tensor.of(values, batch, 2)))) {
              equal &= Arrays.equals(result.get("y").toFloatArray(), expected(values));
            }
          }
          return equal;
        });
      }
      for (Future<Boolean> done : threads.invokeAll(tasks)) {
        assertThat(done.get()).isTrue();
      }
      assertThat(session.memoryStats().peakPoolBytes()).isLessThanOrEqualTo(192 << 10);
    }
  }

  @Test
  void inputsAreReadWhereTheyLie() {
    try (var session = Session.of(model(), OPTIONS); Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1f, 2f);
      try (var x = Tensor.wrap(memory, DType.FLOAT32, 1, 2)) {
        memory.setAtIndex(ValueLayout.JAVA_FLOAT, 0, 3f);
        try (var result = session.run(Map.of("x", x))) {
          assertThat(result.get("y").toFloatArray()).containsExactly(expected(new float[] {3, 2}));
        }
      }
    }
  }

  @Test
  void outputsMayBeInputsConstantsAndAliases() {
    var builder = new GraphBuilder("aliases");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2, 2));
    builder.output("same", x);
    builder.output("flat", builder.apply("Reshape", x, builder.constant("s", TensorView.ofLongs(4))));
    builder.output("fixed", builder.constant("c", TensorView.ofFloats(Shape.of(2), 5, 6)));
    builder.output("twice", x);
    try (var session = Session.of(builder.build(), OPTIONS);
      var result = session.run(Map.of("x", Tensor.of(new float[] {1, 2, 3, 4}, 2, 2)))) {
      assertThat(result.get("same").toFloatArray()).containsExactly(1, 2, 3, 4);
      assertThat(result.get("flat").shape()).isEqualTo(Shape.of(4));
      assertThat(result.get("flat").toFloatArray()).containsExactly(1, 2, 3, 4);
      assertThat(result.get("fixed").toFloatArray()).containsExactly(5, 6);
      assertThat(result.get("twice").toFloatArray()).containsExactly(1, 2, 3, 4);
    }
  }

  @Test
  void weightsOfNothingButNanAreRefusedAndNamed() {
    var builder = new GraphBuilder("nan");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2));
    builder.output("y", builder.apply("Add", x, builder.constant("spoilt", TensorView.ofFloats(Shape.of(2), Float.NaN,
      Float.NaN))));
    assertThatThrownBy(() -> Session.of(builder.build(), OPTIONS))
      .isInstanceOfSatisfying(InvalidGraph.class, it -> assertThat(it.node()).isEqualTo("spoilt"))
      .hasMessageContaining("NaN");
  }

  @Test
  void aKernelThatDoesNotExistIsAGapWithItsNode() {
    var builder = new GraphBuilder("gap");
    NodeEntry x = builder.input("x", TensorType.of(DType.INT32, 2, 2));
    builder.output("y", builder.apply("Gemm", x, x));
    assertThatThrownBy(() -> Session.of(builder.build(), OPTIONS)).isInstanceOfSatisfying(UnsupportedOperators.class,
      e -> assertThat(e.gaps()).singleElement().satisfies(gap -> {
        assertThat(gap.operator()).isEqualTo("Gemm");
        assertThat(gap.reason()).contains("int32[2x2]");
      }));
  }

  @Test
  void whatIsForgottenIsReleased() throws InterruptedException {
    var source = new WatchedSource();
    Reclaimed.await(() -> {
      Session session = Session.of(model(), OPTIONS, source);
      Tensor y = session.run(Map.of("x", Tensor.of(new float[2], 1, 2))).get("y");
      System.gc();
      assertThat(y.toFloatArray()).as("an output keeps its result").hasSize(3);
      return List.of(session, y);
    });
    source.awaitHeldBytes(0);
  }

  @Test
  void aResultOutlivesAForgottenSession() throws InterruptedException {
    var source = new WatchedSource();
    List<Result> kept = new ArrayList<>();
    List<Long> held = new ArrayList<>();
    Reclaimed.await(() -> {
      Session session = Session.of(model(), OPTIONS, source);
      kept.add(session.run(Map.of("x", Tensor.of(new float[2], 1, 2))));
      held.add(source.heldBytes());
      return session;
    });
    // The weights and the plan.
    source.awaitHeldBytes(held.getFirst() - 1);
    assertThat(kept.getFirst().get("y").toFloatArray()).hasSize(3);
    kept.getFirst().close();
    source.awaitHeldBytes(0);
  }
}
