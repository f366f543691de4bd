package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
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
import org.junit.jupiter.api.Test;

/** Sessions whose runs have several streams. */
class SessionStreamsTest {
  /** Three towers of four products over x of [batch, 16], and their sum. */
  private static Graph model() {
    var builder = new GraphBuilder("towers");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(16))));
    List<NodeEntry> tops = new ArrayList<>();
    for (int tower = 0; tower < 3; tower++) {
      NodeEntry top = x;
      for (int floor = 0; floor < 4; floor++) {
        float[] weights = new float[16 * 16];
        for (int i = 0; i < weights.length; i++) {
          weights[i] = (float) Math.sin(i * 0.7 + tower * 5 + floor) / 4;
        }
        top = builder.apply("Tanh", builder.apply("MatMul", top, builder.constant("w" + tower + floor, TensorView
          .ofFloats(Shape.of(16, 16), weights))));
      }
      tops.add(top);
    }
    builder.output("y", builder.apply("Sum", tops.toArray(NodeEntry[]::new)));
    return builder.build();
  }

  private static Tensor input(int batch, int salt) {
    float[] values = new float[batch * 16];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.cos(i + salt);
    }
    return Tensor.of(values, batch, 16);
  }

  private static float[] run(Session session, int batch, int salt) {
    try (Tensor x = input(batch, salt); Result result = session.run(Map.of("x", x))) {
      return result.get("y").toFloatArray();
    }
  }

  @Test
  void anyNumberOfStreamsAndThreadsGivesTheSameBits() {
    float[] expected;
    try (var serial = Session.of(model(), SessionOptions.DEFAULT.withThreads(1))) {
      expected = run(serial, 37, 1);
    }
    for (int streams = 1; streams <= 4; streams++) {
      for (int threads = 1; threads <= 4; threads++) {
        try (var session = Session.of(model(), SessionOptions.DEFAULT.withThreads(threads).withStreams(streams))) {
          for (int i = 0; i < 3; i++) {
            assertThat(run(session, 37, 1)).as("streams=%d threads=%d", streams, threads).containsExactly(expected);
          }
          assertThat(session.compiled().orElseThrow().schedule().streams()).isEqualTo(streams);
        }
      }
    }
  }

  @Test
  void smallerShapesRunOnTheStreamsOfTheLargest() {
    var options = SessionOptions.DEFAULT.withThreads(1);
    try (var serial = Session.of(model(), options);
      var session = Session.of(model(), options.withStreams(3).withLargestShapes(Map.of("x", Shape.of(64, 16))))) {
      for (int batch : new int[] {64, 1, 33, 64, 2}) {
        assertThat(run(session, batch, batch)).containsExactly(run(serial, batch, batch));
      }
    }
  }

  @Test
  void sixtyFourThreadsNeverTakeMoreThanTheLimit() throws Exception {
    for (int streams = 1; streams <= 2; streams++) {
      var source = new WatchedSource();
      // Each run has some 200 kB, mostly scratch memory of the products.
      long limit = 1 << 20;
      try (var threads = Executors.newFixedThreadPool(64);
        var session = Session.of(model(), SessionOptions.DEFAULT.withThreads(1).withStreams(streams)
          .withMemoryLimitBytes(limit).withMaxConcurrentRuns(64), source)) {
        float[] expected = run(session, 50, 3);
        List<Callable<float[]>> tasks = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
          tasks.add(() -> run(session, 50, 3));
        }
        for (Future<float[]> done : threads.invokeAll(tasks)) {
          assertThat(done.get()).containsExactly(expected);
        }
      }
      assertThat(source.mostBytes()).as("streams=%d", streams).isLessThanOrEqualTo(limit).isPositive();
      assertThat(source.heldBytes()).isZero();
    }
  }

  @Test
  void aSessionNeedsAStream() {
    assertThatThrownBy(() -> SessionOptions.DEFAULT.withStreams(0)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("streams=0");
  }
}
