package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.compile.Streamed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Models whose weights are larger than the device's limit: copied in each run, ahead of the steps that read them. */
@Tag("long")
class StreamedWeightsTest {
  private static final int WIDTH = 128;
  private static final int LAYERS = 8;

  private final CopyingSessions sessions = new CopyingSessions(CudaUnderTest.simulator(), model(), 4, WIDTH);

  /** Products with weights of 64 KiB each; the first is read again at the end, and once as another shape. */
  private static Graph model() {
    var builder = new GraphBuilder("deep");
    NodeEntry at = builder.input("x", TensorType.of(DType.FLOAT32, 4, WIDTH));
    List<NodeEntry> weights = new ArrayList<>();
    for (int layer = 0; layer < LAYERS; layer++) {
      weights.add(builder.constant("w" + layer, Models.weights(Shape.of(WIDTH, WIDTH), layer)));
      at = builder.apply("Tanh", builder.apply("MatMul", at, weights.getLast()));
    }
    at = builder.apply("MatMul", at, weights.getFirst());
    NodeEntry flat = builder.apply("Reshape", weights.get(1), builder.constant("flat",
      TensorView.ofLongs(1, -1)));
    builder.output("y", at);
    builder.output("sum", builder.apply("ReduceSum", builder.apply("Abs", flat)));
    return builder.build();
  }

  private static long limit(MemoryNeed need, int percentOfWeights) {
    return need.totalBytes() - need.weightBytes() * (100 - percentOfWeights) / 100;
  }

  @Test
  void resultsAreEqualToTheBitAndTheDeviceHoldsWhatThePlanSays() {
    MemoryNeed need = sessions.need();
    for (int percent : List.of(90, 70, 50, 40)) {
      for (boolean replay : List.of(false, true)) {
        CompiledGraph compiled = sessions.requireEqualWithin(CopyingSessions.options(replay).withMemoryLimitBytes(limit(
          need, percent)), CopyingSessions.options(replay));
        Streamed streamed = compiled.streamed().orElseThrow();
        assertThat(streamed.fits()).isTrue();
        assertThat(streamed.fromFile()).isFalse();
        assertThat(streamed.copies()).isGreaterThanOrEqualTo(streamed.constants()).isPositive();
      }
    }
  }

  @Test
  void copiesAreBesideKernelsAndOrderedAsTheScheduleSays() {
    sessions.requireOrderedCopies(CopyingSessions.options(false).withMemoryLimitBytes(limit(sessions.need(), 50)));
  }

  @Test
  void aFailureOfAnyCopyLeavesNothingAndTheNextRunWorks() {
    sessions.requireFaultsLeaveNothing(CopyingSessions.options(false).withMemoryLimitBytes(limit(sessions.need(), 50)),
      Map.of("cuMemcpyHtoDAsync", 10, "cuStreamWaitEvent", 2, "cuEventRecord", 2, "cuGraphLaunch", 2));
  }

  @Test
  void pageLockedMemoryThatRunsOutRefusesTheModelAndLeavesNothing() {
    sessions.requireLackOfPageLockedMemoryLeavesNothing(CopyingSessions.options(false).withMemoryLimitBytes(limit(
      sessions.need(), 50)));
  }

  @Test
  void aLimitThatIsTooLowIsRefusedWithTheLeastThatWorks() {
    MemoryNeed need = sessions.need();
    OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class,
      () -> Session.of(sessions.model(), CopyingSessions.options(false)
        .withMemoryLimitBytes(limit(need, 0))));
    assertThat(refusal).hasMessageContaining("with streamed weights it needs");
    long least = refusal.leastLimitBytes().orElseThrow();
    assertThat(least).isLessThan(limit(need, 50));
    try (var whole = Session.of(sessions.model(), CopyingSessions.options(false));
      var advised = Session.of(sessions.model(), CopyingSessions.options(false)
        .withMemoryLimitBytes(least))) {
      assertThat(sessions.run(advised, 3)).isEqualTo(sessions.run(whole, 3));
    }
    assertThat(catchThrowableOfType(OutOfMemory.class,
      () -> Session.of(sessions.model(), CopyingSessions.options(false).withMemoryLimitBytes(
        least - Alignment.CHUNK_BYTES)))
      .leastLimitBytes()).hasValue(least);
    for (RecomputeMode mode : List.of(RecomputeMode.OFF, RecomputeMode.CHEN)) {
      CompileOptions other = CompileOptions.DEFAULT.withRecompute(CompileOptions.DEFAULT.recompute().withMode(mode));
      assertThatThrownBy(() -> Session
        .of(sessions.model(), CopyingSessions.options(false).withCompile(other).withMemoryLimitBytes(limit(need,
          50)))
        .close()).isInstanceOf(OutOfMemory.class);
    }
  }
}
