package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.SimulatedTimeline;
import dev.cairn.gpu.SimulatedTimeline.Piece;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Sessions whose plan copies between host and device to keep to a limit: what must hold of all of them.
 *
 * @param model with one input {@code x}
 * @param rows of the input
 * @param columns of the input
 */
record CopyingSessions(Simulator simulator, Graph model, int rows, int columns) {
  /** One thread and the device under test, without a limit. */
  static SessionOptions options(boolean replay) {
    return SessionOptions.DEFAULT.withThreads(1).withDevice(CudaUnderTest.device().withReplay(replay));
  }

  /** All results of a run, one after the other. */
  float[] run(Session session, int salt) {
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 0.7 + salt);
    }
    try (Tensor x = Tensor.of(values, rows, columns); Result result = session.run(Map.of("x", x))) {
      float[][] results = result.names().stream().map(it -> result.get(it).toFloatArray()).toArray(float[][]::new);
      float[] all = new float[IntStream.range(0, results.length).map(i -> results[i].length).sum()];
      int at = 0;
      for (float[] one : results) {
        System.arraycopy(one, 0, all, at, one.length);
        at += one.length;
      }
      return all;
    }
  }

  /** What the model needs without a limit, where nothing is copied. */
  MemoryNeed need() {
    try (var session = Session.of(model, options(false))) {
      CompiledGraph compiled = session.compiled().orElseThrow();
      assertThat(compiled.offloaded()).isEmpty();
      assertThat(compiled.streamed()).isEmpty();
      return MemoryNeed.of(compiled, false);
    }
  }

  /** Both have the same results, to the bit. */
  void requireEqualRuns(Session limited, Session whole) {
    for (int run = 0; run < 4; run++) {
      assertThat(run(limited, run)).isEqualTo(run(whole, run));
    }
  }

  /** A limited session has the results of one without a limit, and holds what its plan says. */
  CompiledGraph requireEqualWithin(SessionOptions limited, SessionOptions whole) {
    try (var all = Session.of(model, whole); var within = Session.of(model, limited)) {
      requireEqualRuns(within, all);
      CompiledGraph compiled = within.compiled().orElseThrow();
      MemoryNeed now = MemoryNeed.of(compiled, false);
      assertThat(now.totalBytes()).isLessThanOrEqualTo(limited.memory().limitBytes());
      assertThat(within.memoryStats().bytesInUse()).as("what is held is what was said").isEqualTo(now.totalBytes());
      assertThat(within.memoryStats().peakBytesInUse()).isEqualTo(now.totalBytes());
      return compiled;
    }
  }

  /** Copies run beside kernels, in an order that the plan allows; the judge finds missing waits. */
  CompiledGraph requireOrderedCopies(SessionOptions limited) {
    RunObserver labels = ExecutedOrder.labels(simulator);
    try (var session = Session.of(model, limited.withObservers(_ -> labels))) {
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
      return compiled;
    } finally {
      simulator.keepTimeline(false);
    }
  }

  /**
   * A call of the driver that fails leaves nothing, and the next runs work.
   *
   * @param turns by call, how many of its first calls fail in turn
   */
  void requireFaultsLeaveNothing(SessionOptions limited, Map<String, Integer> turns) {
    String before = simulator.leaks();
    for (boolean replay : new boolean[] {false, true}) {
      turns.forEach((call, last) -> {
        for (int turn = 1; turn <= last; turn++) {
          try (var session = Session.of(model, limited.withDevice(limited.device().withReplay(replay)))) {
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
      });
    }
  }

  /** Page-locked memory that runs out refuses the model and leaves nothing. */
  void requireLackOfPageLockedMemoryLeavesNothing(SessionOptions limited) {
    String before = simulator.leaks();
    for (int turn = 1; turn <= 6; turn++) {
      simulator.fail("cuMemHostAlloc", turn, 2);
      simulator.fail("cuMemAllocHost", turn, 2);
      try (var session = Session.of(model, limited)) {
        run(session, 1);
      } catch (RuntimeException e) {
        assertThat(e).as("turn=%d", turn).isInstanceOfAny(OutOfMemory.class, CudaFailure.class);
      }
      simulator.clear("cuMemHostAlloc");
      simulator.clear("cuMemAllocHost");
      assertThat(simulator.leaks()).as("turn=%d", turn).isEqualTo(before);
    }
  }
}
