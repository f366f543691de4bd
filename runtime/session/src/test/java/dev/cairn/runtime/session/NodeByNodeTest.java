package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions of graphs that cannot be planned. */
class NodeByNodeTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1);

  private final NettySubAllocator source = new NettySubAllocator();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /**
   * y = bias + x reshaped to n, for x of 12 numbers; n and the bias may be anything that fits. A variable decides the
   * shape, too, so it cannot be planned for values of n.
   */
  private static Graph model(Dimension rank) {
    var builder = new GraphBuilder("reshape");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 12));
    NodeEntry n = builder.input("n", new DeclaredType(DType.INT64, List.of(rank)));
    NodeEntry zero = builder.variable("zero", TensorView.ofLongs(0));
    NodeEntry bias = builder.variable("bias", TensorView.ofFloats(Shape.of(1), 1));
    NodeEntry half = builder.apply("Mul", bias, builder.constant("half", TensorView.ofFloats(Shape.of(1), 0.5f)));
    builder.output("y", builder.apply("Add", builder.apply("Reshape", x, builder.apply("Add", n,
      zero)), half));
    return builder.build();
  }

  private static Graph model() {
    return model(new Dimension.Symbol("rank"));
  }

  private static Map<String, Tensor> inputs(long... shape) {
    float[] values = new float[12];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    return Map.of("x", Tensor.of(values, 12), "n", Tensor.of(shape, shape.length));
  }

  private static void assertRunsWell(Session session, float bias, long... shape) {
    try (Result result = session.run(inputs(shape))) {
      assertThat(result.get("y").type().shape()).isEqualTo(Shape.of(shape));
      assertThat(result.get("y").toFloatArray()).startsWith(bias / 2, 1 + bias / 2).endsWith(11 + bias / 2);
    }
  }

  @Test
  void shapesFollowTheValuesOfEachRun() {
    try (var session = Session.of(model(), OPTIONS, source)) {
      assertRunsWell(session, 1, 3, 4);
      assertRunsWell(session, 1, 2, 3, 2);
      assertRunsWell(session, 1, 12);
      session.setVariable("bias", Tensor.of(new float[] {3}, 1));
      assertRunsWell(session, 3, 4, 3);
      assertThat(session.compiled()).isEmpty();
    }
  }

  @Test
  void openingFindsOutWhenAllTypesAreKnown() {
    try (var session = Session.of(model(new Dimension.Fixed(2)), OPTIONS, source)) {
      assertThat(session.compiled()).isEmpty();
      assertRunsWell(session, 1, 3, 4);
    }
  }

  @Test
  void whatDoesNotFitIsRefusedAndTheNextRunIsWell() {
    // The clock advances whenever a run checks its deadline.
    try (var session = Session.of(model(), OPTIONS, source, new AtomicLong()::incrementAndGet)) {
      assertThatThrownBy(() -> session.run(inputs(5, 5))).isInstanceOfSatisfying(InvalidGraph.class, it -> assertThat(it
        .node()).isEqualTo("Reshape"));
      assertThatThrownBy(() -> session.run(Map.of())).isInstanceOf(IllegalArgumentException.class);
      assertRunsWell(session, 1, 6, 2);
      assertThatThrownBy(() -> session.run(Map.of("n", Tensor.of(new long[] {12}, 1)))).isInstanceOf(
        IllegalArgumentException.class);
      assertThatThrownBy(() -> session.run(inputs(12), RunOptions.DEFAULT.withDeadline(Duration.ofNanos(1))))
        .isInstanceOf(RunStopped.class);
      assertRunsWell(session, 1, 12);
    }
  }

  @Test
  void tooLittleMemoryIsSaidAndManyThreadsShareWhatThereIs() throws Exception {
    try (var session = Session.of(model(), OPTIONS.withMemoryLimitBytes(3 * 256), source)) {
      assertThatThrownBy(() -> session.run(inputs(12))).isInstanceOf(OutOfMemory.class);
    }
    // There is room for one run while each of the other threads still holds a result.
    long limit = 13 * 256;
    try (var session = Session.of(model(), OPTIONS.withMemoryLimitBytes(limit), source);
      var threads = Executors.newFixedThreadPool(8)) {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        tasks.add(() -> {
          assertRunsWell(session, 1, 2, 6);
          return true;
        });
      }
      for (Future<Boolean> done : threads.invokeAll(tasks)) {
        assertThat(done.get()).isTrue();
      }
      assertThat(session.memoryStats().peakPoolBytes()).isLessThanOrEqualTo(limit);
    }
  }
}
