package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.cairn.runtime.compile.OffloadChoice;
import dev.cairn.runtime.compile.Offloaded;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator;
import dev.cairn.runtime.memory.analysis.HostCopies;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.trace.RunObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Results that wait long are copied to the host and back, so that a plan keeps to the device's limit. */
class OffloadTest {
  private static final int WIDTH = 128;
  private static final int LAYERS = 8;

  private Simulator simulator;

  @BeforeEach
  void findSimulator() {
    simulator = CudaUnderTest.simulator();
  }

  /** As in training: each layer's result is read again on the way back, some under another shape. */
  private static Graph model() {
    var builder = new GraphBuilder("back and forth");
    NodeEntry at = builder.input("x", TensorType.of(DType.FLOAT32, WIDTH, WIDTH));
    NodeEntry weight = builder.constant("w", Models.weights(Shape.of(WIDTH, WIDTH), 1));
    List<NodeEntry> results = new ArrayList<>();
    for (int layer = 0; layer < LAYERS; layer++) {
      at = builder.apply("Transpose", builder.apply("Mul", at, weight));
      results.add(at);
    }
    NodeEntry turned = builder.constant("turned", TensorView.ofLongs(WIDTH, WIDTH));
    for (int layer = LAYERS - 1; layer >= 0; layer--) {
      NodeEntry again = layer % 4 == 1 ? builder.apply("Reshape", results.get(layer), turned) : results.get(layer);
      at = builder.apply("Mul", builder.apply("Transpose", builder.apply("Add", at, again)), again);
    }
    builder.output("y", at);
    return builder.build();
  }

  private static SessionOptions options(boolean replay, OffloadChoice choice) {
    CompileOptions compile = CompileOptions.DEFAULT.withRemat(CompileOptions.DEFAULT.remat().withOffload(choice));
    return SessionOptions.DEFAULT.withThreads(1).withDevice(CudaUnderTest.device().withReplay(replay)).withCompile(
      compile);
  }

  private static float[] run(Session session, int salt) {
    float[] values = new float[WIDTH * WIDTH];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 0.7 + salt);
    }
    try (Tensor x = Tensor.of(values, WIDTH, WIDTH); Result result = session.run(Map.of("x", x))) {
      return result.get("y").toFloatArray();
    }
  }

  private static MemoryNeed need() {
    try (var session = Session.of(model(), options(false, OffloadChoice.AUTO))) {
      CompiledGraph compiled = session.compiled().orElseThrow();
      assertThat(compiled.offloaded()).as("without a limit, nothing is copied").isEmpty();
      return MemoryNeed.of(compiled, false);
    }
  }

  private static long limit(MemoryNeed need, int percentOfPlan) {
    return need.besidePlanBytes() + need.planBytes() * percentOfPlan / 100;
  }

  @Test
  void resultsAreEqualToTheBitAndTheDeviceHoldsWhatThePlanSays() {
    MemoryNeed need = need();
    for (int percent : List.of(85, 65, 45)) {
      for (boolean replay : List.of(false, true)) {
        long limit = limit(need, percent);
        try (var whole = Session.of(model(), options(replay, OffloadChoice.AUTO));
          var limited = Session.of(model(), options(replay, OffloadChoice.ONLY).withMemoryLimitBytes(limit))) {
          for (int run = 0; run < 4; run++) {
            assertThat(run(limited, run)).isEqualTo(run(whole, run));
          }
          CompiledGraph compiled = limited.compiled().orElseThrow();
          Offloaded offloaded = compiled.offloaded().orElseThrow();
          assertThat(offloaded.values()).isPositive();
          assertThat(offloaded.hostBytes()).isPositive();
          assertThat(compiled.recomputed()).as("no step runs again").isEmpty();
          MemoryNeed now = MemoryNeed.of(compiled, false);
          assertThat(now.totalBytes()).isLessThanOrEqualTo(limit);
          assertThat(limited.memoryStats().peakBytesInUse()).as("what is held is what was said").isEqualTo(now
            .totalBytes());
        }
      }
    }
  }

  @Test
  void rerunsAndCopiesTogetherKeepEveryBit() {
    MemoryNeed need = need();
    try (var whole = Session.of(model(), options(true, OffloadChoice.AUTO))) {
      for (int percent : List.of(70, 50, 35)) {
        try (var limited = Session.of(model(), options(true, OffloadChoice.AUTO).withMemoryLimitBytes(limit(need,
          percent)))) {
          for (int run = 0; run < 3; run++) {
            assertThat(run(limited, run)).isEqualTo(run(whole, run));
          }
        }
      }
    }
  }

  @Test
  void copiesAreBesideKernelsAndOrderedAsTheScheduleSays() {
    RunObserver labels = ExecutedOrder.labels(simulator);
    try (var session = Session.of(model(), options(false, OffloadChoice.ONLY).withObservers(_ -> labels)
      .withMemoryLimitBytes(limit(need(), 60)))) {
      run(session, 1);
      simulator.keepTimeline(true);
      run(session, 2);
      SimulatedTimeline timeline = simulator.timeline();
      assertThat(timeline.beside(Piece::isCopy, Piece::isKernel)).isPositive();
      CompiledGraph compiled = session.compiled().orElseThrow();
      assertThat(compiled.schedule().streams()).isEqualTo(3);
      assertThat(compiled.storage().steps().stream().filter(HostCopies::isOut).count()).isEqualTo(compiled.storage()
        .steps().stream().filter(HostCopies::isIn).count()).isPositive();
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
    long limit = limit(need(), 60);
    for (boolean replay : List.of(false, true)) {
      for (String call : List.of("cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuStreamWaitEvent", "cuEventRecord",
        "cuGraphLaunch")) {
        for (int turn = 1; turn <= (call.startsWith("cuMemcpy") ? 4 : 2); turn++) {
          try (var session = Session.of(model(), options(replay, OffloadChoice.ONLY).withMemoryLimitBytes(limit))) {
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
    long limit = limit(need(), 60);
    for (int turn = 1; turn <= 6; turn++) {
      simulator.fail("cuMemHostAlloc", turn, 2);
      simulator.fail("cuMemAllocHost", turn, 2);
      try (var session = Session.of(model(), options(false, OffloadChoice.ONLY).withMemoryLimitBytes(limit))) {
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
  void withoutOffloadNothingIsCopiedAndBelowTheFloorTheModelIsRefused() {
    MemoryNeed need = need();
    try (var limited = Session.of(model(), options(false, OffloadChoice.OFF).withMemoryLimitBytes(limit(need, 70)))) {
      assertThat(limited.compiled().orElseThrow().offloaded()).isEmpty();
    }
    assertThatThrownBy(() -> Session.of(model(), options(false, OffloadChoice.ONLY).withMemoryLimitBytes(limit(need,
      5))).close()).isInstanceOf(OutOfMemory.class);
  }
}
