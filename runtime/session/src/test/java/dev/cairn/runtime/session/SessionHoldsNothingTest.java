package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong, all memory is back at its source once session and results are closed. */
class SessionHoldsNothingTest {
  /** Two steps, apart in memory, and none that takes memory to work in: the figures here count every byte. */
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1)
    .withCompile(CompileOptions.DEFAULT.withFusion(FusionChoice.OFF).withInPlace(false));

  private final NettySubAllocator source = new NettySubAllocator();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** y = tanh(x + w) for x of [batch, 2], the batch open. */
  private static Graph model(float... weights) {
    var builder = new GraphBuilder("model");
    var type = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"), new Dimension.Fixed(2)));
    NodeEntry x = builder.input("x", type);
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(2), weights));
    builder.output("y", builder.apply("Tanh", builder.apply("Add", x, w)));
    return builder.build();
  }

  private static Graph model() {
    return model(1, -1);
  }

  private static Map<String, Tensor> batch(int items) {
    return Map.of("x", Tensor.of(new float[items * 2], items, 2));
  }

  @Test
  void aRunHoldsWeightsPoolAndResultUntilTheyAreClosed() {
    try (var session = Session.of(model(), OPTIONS, source)) {
      Result result = session.run(batch(100));
      assertThat(source.heldBytes()).isEqualTo(256 + 1024 + 1024);
      result.close();
    }
  }

  @Test
  void aSessionThatCannotOpenHoldsNothing() {
    Map<String, Shape> shapes = Map.of("x", Shape.of(100, 2));
    for (long limit : new long[] {0, 255, 256, 1000, 1279}) {
      assertThatThrownBy(() -> Session.of(model(), OPTIONS.withShapes(shapes).withMemoryLimitBytes(limit), source)).as(
        "limit %d", limit).isInstanceOf(OutOfMemory.class);
      assertThat(source.heldBytes()).isZero();
    }
    Graph spoilt = model(Float.NaN, Float.NaN);
    assertThatThrownBy(() -> Session.of(spoilt, OPTIONS.withShapes(shapes), source)).isInstanceOf(InvalidGraph.class);
    assertThatThrownBy(() -> Session.of(model(), OPTIONS.withShapes(Map.of("x", Shape.of(1, 3))), source)).isInstanceOf(
      IllegalArgumentException.class);
  }

  @Test
  void aRunThatFailsTakesNothingMore() {
    // The session holds the weights and the pool of 100 items, but not its result.
    try (var session = Session.of(model(), OPTIONS.withMemoryLimitBytes(256 + 1024 + 256), source)) {
      session.run(batch(1)).close();
      for (int i = 0; i < 5; i++) {
        assertThatThrownBy(() -> session.run(batch(100))).isInstanceOf(OutOfMemory.class);
        assertThatThrownBy(() -> session.run(Map.of("x", Tensor.of(new long[2], 1, 2)))).isInstanceOf(
          IllegalArgumentException.class);
        assertThat(session.memoryStats().bytesInUse()).isLessThanOrEqualTo(256 + 1024);
        session.run(batch(2)).close();
      }
    }
  }

  @Test
  void aResultThatOutlivesItsSessionHoldsOnlyItself() {
    var session = Session.of(model(), OPTIONS, source);
    Result result = session.run(batch(100));
    session.close();
    assertThat(result.get("y").toFloatArray()).hasSize(200);
    result.close();
  }
}
