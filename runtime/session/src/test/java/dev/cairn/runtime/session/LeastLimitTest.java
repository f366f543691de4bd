package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.report.OomReport;
import dev.cairn.allocator.report.Remedy;
import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who raises the limit to what a refusal names, once, can open the session and run. */
class LeastLimitTest {
  private static final int WIDTH = 64;

  /** Two products with weights of 16 KiB each and something between, for a batch that may be open. */
  private static Graph model(Dimension batch) {
    var builder = new GraphBuilder("model");
    NodeEntry at = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(batch, new Dimension.Fixed(WIDTH))));
    for (int layer = 0; layer < 2; layer++) {
      float[] weights = new float[WIDTH * WIDTH];
      weights[layer] = 1;
      at = builder.apply("Tanh", builder.apply("MatMul", at, builder.constant("w" + layer, TensorView.ofFloats(Shape
        .of(WIDTH, WIDTH), weights))));
    }
    builder.output("y", at);
    builder.output("z", builder.apply("Neg", at));
    return builder.build();
  }

  private static Tensor input(int batch) {
    return Tensor.of(new float[batch * WIDTH], batch, WIDTH);
  }

  private static void openAndRun(long limitBytes, int batch) {
    openAndRun(SessionOptions.DEFAULT, limitBytes, batch);
  }

  private static void openAndRun(SessionOptions options, long limitBytes, int batch) {
    try (Session session = Session.of(model(new Dimension.Fixed(batch)), options.withMemoryLimitBytes(limitBytes));
      Tensor x = input(batch)) {
      session.run(Map.of("x", x)).close();
    }
  }

  private static long advice(OutOfMemory refusal) {
    long bytes = refusal.leastLimitBytes().orElseThrow();
    assertThat(refusal.getMessage()).contains("raise the memory limit to " + bytes + " bytes");
    assertThat(OomReport.of(refusal).remedies().getFirst()).satisfies(it -> {
      assertThat(it.kind()).isEqualTo(Remedy.Kind.RAISE_LIMIT);
      assertThat(it.sentence()).contains("(" + bytes + " B)");
    });
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100})
  void theFirstAdviceIsTheLast(int batch) {
    long least;
    try (Session session = Session.of(model(new Dimension.Fixed(batch)), SessionOptions.DEFAULT)) {
      least = MemoryNeed.of(session.compiled().orElseThrow(), true).totalBytes();
    }
    // The weights are refused, then the plan, then one result and the other.
    for (long limit = 0; limit < least; limit += 4096) {
      long given = limit;
      OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class, () -> openAndRun(given, batch));
      assertThat(advice(refusal)).as("limit=%d", limit).isEqualTo(least);
    }
    openAndRun(least, batch);
    assertThatThrownBy(() -> openAndRun(least - Alignment.CHUNK_BYTES, batch)).isInstanceOf(OutOfMemory.class);
  }

  /** To pack such weights takes more memory than a run. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theMemoryInWhichWeightsArePlacedIsCounted(boolean isTransposed) {
    var builder = new GraphBuilder("large weights");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(8),
      new Dimension.Fixed(512))));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(512, 512), new float[512 * 512]));
    builder.output("y", builder.apply("MatMul", x, isTransposed ? builder.apply("Transpose", w) : w));
    Graph graph = builder.build();
    OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class, () -> Session.of(graph, SessionOptions.DEFAULT
      .withMemoryLimitBytes(4096)));
    long least = advice(refusal);
    Session.of(graph, SessionOptions.DEFAULT.withMemoryLimitBytes(least)).close();
    assertThatThrownBy(() -> Session.of(graph, SessionOptions.DEFAULT.withMemoryLimitBytes(least
      - Alignment.CHUNK_BYTES))).isInstanceOf(OutOfMemory.class);
  }

  @Test
  void aRefusalNamesTheTensorsThatTheBytesAreFor() {
    OutOfMemory weights = catchThrowableOfType(OutOfMemory.class, () -> openAndRun(16 << 10, 7));
    assertThat(weights.owner().operator()).startsWith("weights");
    assertThat(weights.circumstances()).contains(
      "2 constants: w0 float32[64x64] 16.0 KiB, w1 float32[64x64] 16.0 KiB");
    // These kernels read weights as they are, since packing takes memory, too.
    SessionOptions options = SessionOptions.DEFAULT.withDevice(DeviceOptions.CPU.withKernels(
      ProcessorKernels.Wanted.VECTOR));
    OutOfMemory plan = catchThrowableOfType(OutOfMemory.class, () -> openAndRun(options, 33 << 10, 100));
    assertThat(plan.owner().label()).isEqualTo("plan/pool0");
    assertThat(plan.circumstances()).anySatisfy(it -> assertThat(it).matches(
      "(?s).*peak is step=\\d node=\\S+ operator=\\w+: .*float32\\[100x64\\] 25.0 KiB.*"));
    long least = advice(plan);
    OutOfMemory result = catchThrowableOfType(OutOfMemory.class, () -> openAndRun(options, least - 256, 100));
    assertThat(result.owner().operator()).isEqualTo("result");
    assertThat(result.owner().tensor()).isIn("y", "z");
    assertThat(result.owner().shape()).isEqualTo("float32[100x64]");
  }

  @Test
  void resultsThatAreStillOpenAreCounted() {
    int batch = 50;
    long least = advice(catchThrowableOfType(OutOfMemory.class, () -> openAndRun(0, batch)));
    SessionOptions options = SessionOptions.DEFAULT.withMemoryLimitBytes(least);
    long advice;
    try (Session session = Session.of(model(new Dimension.Fixed(batch)), options);
      Tensor x = input(batch);
      Result first = session.run(Map.of("x", x))) {
      assertThat(first.names()).hasSize(2);
      advice = advice(catchThrowableOfType(OutOfMemory.class, () -> session.run(Map.of("x", x))));
    }
    assertThat(advice).isGreaterThan(least);
    try (Session session = Session.of(model(new Dimension.Fixed(batch)), options.withMemoryLimitBytes(advice));
      Tensor x = input(batch);
      Result first = session.run(Map.of("x", x));
      Result second = session.run(Map.of("x", x))) {
      assertThat(second.names()).isEqualTo(first.names());
    }
  }

  @Test
  void anOpenBatchIsRefusedByTheRunThatIsTooLarge() {
    Graph graph = model(new Dimension.Symbol("batch"));
    try (Session session = Session.of(graph, SessionOptions.DEFAULT.withMemoryLimitBytes(800_000));
      Tensor small = input(10);
      Tensor large = input(5000)) {
      session.run(Map.of("x", small)).close();
      long least = advice(catchThrowableOfType(OutOfMemory.class, () -> session.run(Map.of("x", large))));
      try (Session larger = Session.of(graph, SessionOptions.DEFAULT.withMemoryLimitBytes(least))) {
        larger.run(Map.of("x", small)).close();
        larger.run(Map.of("x", large)).close();
      }
    }
  }
}
