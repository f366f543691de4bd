package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.SimulatedTimeline;
import dev.cairn.gpu.SimulatedTimeline.Piece;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.Tensor;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.RematMode;
import dev.cairn.runtime.compile.Streamed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.trace.RunObserver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Models whose weights are larger than the device's limit: copied in each run, ahead of the steps that read them. */
class StreamedWeightsTest {
  private static final int WIDTH = 128;
  private static final int LAYERS = 8;

  private Simulator simulator;

  @BeforeEach
  void findSimulator() {
    simulator = CudaUnderTest.simulator();
  }

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

  private static SessionOptions options(boolean replay) {
    return SessionOptions.DEFAULT.withThreads(1).withDevice(CudaUnderTest.device().withReplay(replay));
  }

  private static float[] run(Session session, int salt) {
    float[] values = new float[4 * WIDTH];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 0.7 + salt);
    }
    try (Tensor x = Tensor.of(values, 4, WIDTH); Result result = session.run(Map.of("x", x))) {
      float[] all = Arrays.copyOf(result.get("y").toFloatArray(), 4 * WIDTH + 1);
      all[4 * WIDTH] = result.get("sum").toFloatArray()[0];
      return all;
    }
  }

  private static MemoryNeed need() {
    try (var session = Session.of(model(), options(false))) {
      CompiledGraph compiled = session.compiled().orElseThrow();
      assertThat(compiled.streamed()).isEmpty();
      return MemoryNeed.of(compiled, false);
    }
  }

  private static long limit(MemoryNeed need, int percentOfWeights) {
    return need.totalBytes() - need.weightBytes() * (100 - percentOfWeights) / 100;
  }

  @Test
  void resultsAreEqualToTheBitAndTheDeviceHoldsWhatThePlanSays() {
    MemoryNeed need = need();
    for (int percent : List.of(90, 70, 50, 40)) {
      for (boolean replay : List.of(false, true)) {
        long limit = limit(need, percent);
        try (var whole = Session.of(model(), options(replay));
          var limited = Session.of(model(), options(replay).withMemoryLimitBytes(limit))) {
          for (int run = 0; run < 4; run++) {
            assertThat(run(limited, run)).isEqualTo(run(whole, run));
          }
          CompiledGraph compiled = limited.compiled().orElseThrow();
          Streamed streamed = compiled.streamed().orElseThrow();
          assertThat(streamed.fits()).isTrue();
          assertThat(streamed.copies()).isGreaterThanOrEqualTo(streamed.constants()).isPositive();
          MemoryNeed now = MemoryNeed.of(compiled, false);
          assertThat(now.totalBytes()).isLessThanOrEqualTo(limit);
          assertThat(limited.memoryStats().bytesInUse()).as("what is held is what was said").isEqualTo(now
            .totalBytes());
          assertThat(limited.memoryStats().peakBytesInUse()).isEqualTo(now.totalBytes());
        }
      }
    }
  }

  @Test
  void copiesAreBesideKernelsAndOrderedAsTheScheduleSays() {
    long limit = limit(need(), 50);
    RunObserver labels = ExecutedOrder.labels(simulator);
    try (var session = Session.of(model(), options(false).withObservers(_ -> labels).withMemoryLimitBytes(limit))) {
      run(session, 1);
      simulator.keepTimeline(true);
      run(session, 2);
      SimulatedTimeline timeline = simulator.timeline();
      assertThat(timeline.beside(Piece::isCopy, Piece::isKernel)).isPositive();
      CompiledGraph compiled = session.compiled().orElseThrow();
      StreamSchedule executed = ExecutedOrder.of(compiled, timeline);
      assertThat(ConcurrentPlanValidator.validate(compiled.storage().problem(), compiled.plan(), executed)).isEmpty();
      var withoutWaits = new SimulatedTimeline(timeline.pieces().stream().filter(it -> !it.isWait()).toList());
      assertThat(ConcurrentPlanValidator.validate(compiled.storage().problem(), compiled.plan(), ExecutedOrder.of(
        compiled, withoutWaits))).as("the judge finds what was not waited for").isNotEmpty();
    } finally {
      simulator.keepTimeline(false);
    }
  }

  @Test
  void aFailureOfAnyCopyLeavesNothingAndTheNextRunWorks() {
    String before = simulator.leaks();
    long limit = limit(need(), 50);
    for (boolean replay : List.of(false, true)) {
      for (String call : List.of("cuMemcpyHtoDAsync", "cuStreamWaitEvent", "cuEventRecord", "cuGraphLaunch")) {
        for (int turn = 1; turn <= (call.startsWith("cuMemcpy") ? 10 : 2); turn++) {
          try (var session = Session.of(model(), options(replay).withMemoryLimitBytes(limit))) {
            float[] expected = run(session, 1);
            simulator.fail(call, turn, 1);
            try {
              assertThat(run(session, 1)).isEqualTo(expected);
            } catch (RuntimeException e) {
              assertThat(e).as("call=%s turn=%d", call, turn).hasStackTraceContaining(call);
            }
            simulator.clear(call);
            assertThat(run(session, 1)).as("call=%s turn=%d", call, turn).isEqualTo(expected);
            assertThat(run(session, 1)).isEqualTo(expected);
          }
          assertThat(simulator.leaks()).as("call=%s turn=%d", call, turn).isEqualTo(before);
        }
      }
    }
  }

  @Test
  void pageLockedMemoryThatRunsOutRefusesTheModelAndLeavesNothing() {
    String before = simulator.leaks();
    long limit = limit(need(), 50);
    for (int turn = 1; turn <= 6; turn++) {
      simulator.fail("cuMemHostAlloc", turn, 2);
      simulator.fail("cuMemAllocHost", turn, 2);
      try (var session = Session.of(model(), options(false).withMemoryLimitBytes(limit))) {
        run(session, 1);
      } catch (RuntimeException e) {
        assertThat(e).as("turn=%d", turn).isInstanceOfAny(OutOfMemory.class, CudaFailure.class);
      }
      simulator.clear("cuMemHostAlloc");
      simulator.clear("cuMemAllocHost");
      assertThat(simulator.leaks()).as("turn=%d", turn).isEqualTo(before);
    }
  }

  @Test
  void aLimitThatIsTooLowIsRefusedWithTheLeastThatWorks() {
    MemoryNeed need = need();
    OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class, () -> Session.of(model(), options(false)
      .withMemoryLimitBytes(limit(need, 0))));
    assertThat(refusal).hasMessageContaining("with streamed weights it needs");
    long least = refusal.leastLimitBytes().orElseThrow();
    assertThat(least).isLessThan(limit(need, 50));
    try (var whole = Session.of(model(), options(false));
      var advised = Session.of(model(), options(false)
        .withMemoryLimitBytes(least))) {
      assertThat(run(advised, 3)).isEqualTo(run(whole, 3));
    }
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> Session.of(model(), options(false).withMemoryLimitBytes(
      least - Alignment.CHUNK_BYTES))).leastLimitBytes()).hasValue(least);
    for (RematMode mode : List.of(RematMode.OFF, RematMode.CHEN)) {
      CompileOptions other = CompileOptions.DEFAULT.withRemat(CompileOptions.DEFAULT.remat().withMode(mode));
      assertThatThrownBy(() -> Session.of(model(), options(false).withCompile(other).withMemoryLimitBytes(limit(need,
        50))).close()).isInstanceOf(OutOfMemory.class);
    }
  }
}
