package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.cuda.ArgumentBlock;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaGraph;
import dev.cairn.kernels.cuda.CudaGraphExecutable;
import dev.cairn.kernels.cuda.CudaModule;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.LaunchShape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Captures over two streams in which a call fails, and graphs whose kernels are gone. */
class CaptureFaultsTest extends OnCuda {
  private static final int UNKNOWN = 999;
  private static final String SOURCE = """
    extern "C" __global__ void add(int* values, int more) { values[threadIdx.x] += more; }
    """;
  private static final LaunchShape SHAPE = LaunchShape.of(1, 64);

  private static CudaGraph fork(CudaStream stream, CudaStream second, CudaFunction add, ArgumentBlock arguments) {
    return stream.capture(() -> {
      add.launch(stream, SHAPE, arguments);
      second.waitFor(stream, stream.record());
      add.launch(second, SHAPE, arguments);
      stream.waitFor(second, second.record());
    });
  }

  /** Both streams can do work, be marked, and be captured, as if nothing had been. */
  private void requireUsable(CudaStream second, CudaFunction add, long values, String what) {
    for (CudaStream each : List.of(stream, second)) {
      each.fill(values, (byte) 0, 256);
      long mark = each.record();
      each.synchronize();
      assertThat(each.hasPassed(mark)).as(what).isTrue();
    }
    try (CudaGraph graph = fork(stream, second, add, arguments(values, 1));
      CudaGraphExecutable executable = graph
        .instantiate()) {
      assertThat(graph.launches()).as(what).hasSize(2);
      executable.launch(stream);
      assertThat(ints(values, 64)).as(what).containsOnly(2);
    }
  }

  @Test
  void aCallThatFailsAnywhereInACaptureLeavesStreamsUsableAndNothingBehind() {
    Simulator simulator = CudaUnderTest.simulator();
    CudaStream second = device.newStream("second");
    CudaFunction add = kernel(SOURCE, "add");
    long values = room(256);
    // The loop ends when the rings of marks have all of their events.
    for (int i = 0; i < 20; i++) {
      requireUsable(second, add, values, "before");
    }
    String before = simulator.leaks();
    for (String call : List.of("cuCtxSetCurrent", "cuStreamBeginCapture_v2", "cuLaunchKernel", "cuEventRecord",
      "cuStreamWaitEvent", "cuStreamEndCapture", "cuEventQuery", "cuGraphDestroy")) {
      for (int turn = 1; turn <= 8; turn++) {
        String what = "call=%s turn=%d".formatted(call, turn);
        simulator.fail(call, turn, UNKNOWN);
        try {
          CudaGraph graph = fork(stream, second, add, arguments(values, 1));
          simulator.clear(call);
          graph.close();
        } catch (CudaFailure e) {
          assertThat(e.code()).as(what).isEqualTo(UNKNOWN);
        }
        simulator.clear(call);
        requireUsable(second, add, values, what);
        assertThat(simulator.leaks()).as(what).isEqualTo(before);
      }
    }
  }

  @Test
  void aGraphWhoseKernelsAreGoneIsNotLaunched() {
    CudaModule module = module(SOURCE);
    long values = upload(new int[64]);
    CudaFunction add = module.function("add");
    CudaGraph graph = stream.capture(() -> add.launch(stream, SHAPE, arguments(values, 1)));
    CudaGraphExecutable executable = graph.instantiate();
    executable.launch(stream);
    stream.synchronize();
    module.close();
    assertThatThrownBy(() -> add.launch(stream, SHAPE, arguments(values, 1))).isInstanceOf(
      IllegalStateException.class);
    assertThatThrownBy(() -> executable.launch(stream)).isInstanceOf(IllegalStateException.class).hasMessageContaining(
      "add");
    assertThatThrownBy(graph::instantiate).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> executable.update(0, SHAPE, arguments(values, 1))).isInstanceOf(
      IllegalStateException.class);
    assertThat(ints(values, 64)).containsOnly(1);
  }

  @Test
  void thingsMayBeClosedInAnyOrderWhileWorkIsUnderWay() {
    for (int order = 0; order < 6; order++) {
      try (CudaDevice mine = CudaDevice.open(CudaUnderTest.driver(), 0)) {
        CudaStream second = mine.newStream("second");
        var memory = mine.allocate(4 << 20);
        var pinned = mine.allocatePinned(4 << 20);
        pinned.segment().fill((byte) 3);
        CudaModule module = mine.load(CudaUnderTest.compiler().compile(dev.cairn.kernels.cuda.compile.CudaProgram.of(
          "add.cu", SOURCE), mine.properties().architecture(), List.of()));
        CudaFunction add = module.function("add");
        var event = mine.newEvent();
        for (int i = 0; i < 10; i++) {
          second.copyToDevice(memory.address(), pinned.segment());
          add.launch(second, SHAPE, arguments(memory.address(), 1));
          second.copyToHost(pinned.segment(), memory.address());
        }
        event.record(second);
        List<AutoCloseable> all = List.of(second, memory, pinned, module, event);
        for (int i = 0; i < all.size(); i++) {
          AutoCloseable one = all.get((i + order) % all.size());
          close(one);
          if (one instanceof CudaStream stream) {
            assertThatThrownBy(stream::close).isInstanceOf(IllegalStateException.class);
          } else {
            close(one);
          }
        }
        assertThatThrownBy(event::hasPassed).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(second::record).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> add.launch(mine.defaultStream(), SHAPE, arguments(0L, 1))).isInstanceOf(
          IllegalStateException.class);
        mine.synchronize();
      }
    }
  }

  private static void close(AutoCloseable what) {
    try {
      what.close();
    } catch (Exception e) {
      throw new AssertionError("does not close: " + what, e);
    }
  }
}
