package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** Sessions of small models that share a {@link MemoryBudget}. */
abstract class SharedBudget {
  static final int WIDTH = 64;

  final NettySubAllocator source = new NettySubAllocator();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** y = scale * tanh(x + w), where w is zero, for x of [batch, 64]. */
  static Graph model(int batch, float scale) {
    var builder = new GraphBuilder("model" + batch);
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(batch),
      new Dimension.Fixed(WIDTH))));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(batch, WIDTH), new float[batch * WIDTH]));
    NodeEntry factor = builder.constant("scale", TensorView.ofFloats(Shape.of(1), scale));
    builder.output("y", builder.apply("Mul", builder.apply("Tanh", builder.apply("Add", x, w)), factor));
    return builder.build();
  }

  static Tensor input(int batch, float value) {
    float[] values = new float[batch * WIDTH];
    Arrays.fill(values, value);
    return Tensor.of(values, batch, WIDTH);
  }

  Session open(int batch, float scale, MemoryBudget budget) {
    return open(batch, scale, MemoryOptions.DEFAULT.withBudget(budget), RunObserver.Source.NONE);
  }

  Session open(int batch, float scale, MemoryOptions memory, RunObserver.Source observers) {
    return Session.of(model(batch, scale), SessionOptions.DEFAULT.withThreads(1).withMaxConcurrentRuns(8).withMemory(
      memory).withObservers(observers), source);
  }

  static void runAndCheck(Session session, int batch, float scale, float value) {
    try (Tensor x = input(batch, value); Result result = session.run(Map.of("x", x))) {
      float[] y = result.get("y").toFloatArray();
      assertThat(y).hasSize(batch * WIDTH);
      assertThat((double) y[y.length - 1]).isCloseTo(scale * Math.tanh(value), within(1e-5));
    }
  }

  /** What one run of such a model needs, with its weights. */
  static long need(int batch) {
    try (Session session = Session.of(model(batch, 1), SessionOptions.DEFAULT.withThreads(1))) {
      return MemoryNeed.of(session.compiled().orElseThrow(), true).totalBytes();
    }
  }
}
