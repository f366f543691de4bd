package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withPrecision;

import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.analysis.Place;
import dev.cairn.runtime.trace.TracedRun;
import dev.cairn.runtime.trace.Tracer;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Results are bound like inputs: the last kernel writes where the caller reads. */
class BoundResultsTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1)
    .withCompile(CompileOptions.DEFAULT.withFusion(FusionChoice.OFF));
  private static final int WIDTH = 64;

  private static NodeEntry batch(GraphBuilder builder) {
    return builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("batch"),
      new Dimension.Fixed(WIDTH))));
  }

  /** h = relu(x w), y = tanh(h v) + 1: the last two steps may be in place. */
  private static Graph model() {
    var builder = new GraphBuilder("two layers");
    float[] weights = new float[WIDTH * WIDTH];
    Arrays.fill(weights, 0.01f);
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(WIDTH, WIDTH), weights));
    NodeEntry v = builder.constant("v", TensorView.ofFloats(Shape.of(WIDTH, WIDTH), weights));
    NodeEntry h = builder.apply("Relu", builder.apply("MatMul", batch(builder), w));
    NodeEntry one = builder.constant("one", TensorView.ofFloats(Shape.of(1), 1));
    builder.output("y", builder.apply("Add", builder.apply("Tanh", builder.apply("MatMul", h, v)), one));
    return builder.build();
  }

  private static Tensor ones(int items) {
    float[] values = new float[items * WIDTH];
    Arrays.fill(values, 1);
    return Tensor.of(values, items, WIDTH);
  }

  private static long copiedBytes(Tracer tracer) {
    TracedRun run = tracer.trace().runs().getLast();
    return run.copies().stream().mapToLong(it -> run.graph().copies().get(it.index()).bytes()).sum();
  }

  @Test
  void aRunCopiesNothingAndThePlanHasNoBytesForResults() {
    Tracer tracer = Tracer.keeping(1);
    try (var session = Session.of(model(), OPTIONS.withObservers(tracer));
      Result result = session.run(Map.of("x", ones(
        3)))) {
      float expected = (float) (Math.tanh(WIDTH * 0.01 * WIDTH * 0.01) + 1);
      assertThat(result.get("y").toFloatArray()).hasSize(3 * WIDTH).containsOnly(new float[] {expected},
        withPrecision(1e-5f));
      assertThat(copiedBytes(tracer)).isZero();
      assertThat(session.compiled().orElseThrow().storage().problem().buffers()).noneMatch(Buffer::output);
      assertThat(session.compiled().orElseThrow().storage().places()).contains(new Place.Result(0));
    }
  }

  @Test
  void outputsThatNoKernelWritesAreCopied() {
    var builder = new GraphBuilder("given");
    NodeEntry x = batch(builder);
    NodeEntry y = builder.apply("Relu", x);
    builder.output("x", x);
    builder.output("y", y);
    builder.output("again", y);
    builder.output("flat", builder.apply("Reshape", y, builder.constant("s", TensorView.ofLongs(-1))));
    Tracer tracer = Tracer.keeping(1);
    try (var session = Session.of(builder.build(), OPTIONS.withObservers(tracer));
      Result result = session.run(Map.of("x", ones(2)))) {
      for (String name : result.names()) {
        assertThat(result.get(name).toFloatArray()).as(name).hasSize(2 * WIDTH).containsOnly(1);
      }
      assertThat(copiedBytes(tracer)).as("all but y").isEqualTo(3L * 2 * WIDTH * Float.BYTES);
    }
  }

  @Test
  void aResultThatIsStillOpenKeepsNothingOfAPlanThatIsGone() {
    // These kernels never need more memory for fewer rows.
    SessionOptions vector = OPTIONS.withDevice(DeviceOptions.CPU.withKernels(ProcessorKernels.Wanted.VECTOR));
    long largest;
    try (var session = Session.of(model(), vector); Result result = session.run(Map.of("x", ones(1000)))) {
      assertThat(result.names()).containsExactly("y");
      largest = session.memoryStats().bytesInUse();
    }
    // There is room for the largest run and for one row that is still open. A row that pinned an earlier plan would not
    // fit.
    SessionOptions options = vector.withMaxPlans(1).withMemoryLimitBytes(largest + 256);
    try (var session = Session.of(model(), options)) {
      Result a = session.run(Map.of("x", ones(1000)));
      Result b = session.run(Map.of("x", ones(1)));
      a.close();
      for (int items = 999; items > 990; items--) {
        session.run(Map.of("x", ones(items))).close();
      }
      assertThat(b.get("y").toFloatArray()).hasSize(WIDTH);
      b.close();
    }
  }

  @Test
  void aSegmentOfAResultEndsWithIt() {
    try (var session = Session.of(model(), OPTIONS)) {
      Result result = session.run(Map.of("x", ones(1)));
      MemorySegment segment = result.get("y").segment();
      assertThat(segment.get(ValueLayout.JAVA_FLOAT, 0)).isGreaterThan(1);
      assertThat(result.get("y").segment().address()).as("no copy").isEqualTo(segment.address());
      Tensor again = Tensor.wrap(segment, DType.FLOAT32, 1, WIDTH);
      session.run(Map.of("x", again)).close();
      result.close();
      assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_FLOAT, 0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> session.run(Map.of("x", again))).hasStackTraceContaining("Already closed");
    }
  }

  @Test
  void aDynamicRunGivesItsResultAway() {
    var builder = new GraphBuilder("values decide");
    NodeEntry n = builder.input("n", new DeclaredType(DType.INT64, List.of(new Dimension.Fixed(2_000))));
    NodeEntry zeros = builder.apply("ConstantOfShape", builder.apply("ReduceSum", n));
    builder.output("y", builder.apply("Cos", zeros));
    Tracer tracer = Tracer.keeping(1);
    long[] thousand = new long[2_000];
    thousand[7] = 1_000;
    try (var session = Session.of(builder.build(), OPTIONS.withObservers(tracer));
      Result result = session.run(Map.of("n", Tensor.of(thousand, 2_000)))) {
      assertThat(result.get("y").toFloatArray()).hasSize(1000).containsOnly(1);
      assertThat(copiedBytes(tracer)).isZero();
      assertThat(session.memoryStats().bytesInUse()).as("the result, and nothing else").isEqualTo(4096);
    }
  }
}
