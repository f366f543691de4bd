package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.cuda.ArgumentBlock;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaGraph;
import dev.cairn.kernels.cuda.CudaGraphExecutable;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.LaunchShape;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GraphTest extends OnCuda {
  private static final int COUNT = 1000;
  private static final LaunchShape SHAPE = LaunchShape.covering(COUNT, 128);

  private CudaFunction addTo;

  @BeforeEach
  void loadKernel() {
    addTo = kernel("""
      extern "C" __global__ void add_to(int* values, int more, int count) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < count) { values[i] += more; }
      }
      """, "add_to");
  }

  private static void add(CudaFunction addTo, CudaStream on, long values, int more) {
    addTo.launch(on, SHAPE, arguments(values, more, COUNT));
  }

  @Test
  void captureRunsNothingAndReplayRunsAll() {
    long values = upload(new int[COUNT]);
    CudaGraph graph = stream.capture(() -> {
      stream.fillInts(values, 5, COUNT);
      add(addTo, stream, values, 2);
      add(addTo, stream, values, 3);
    });
    assertThat(ints(values, COUNT)).containsOnly(0);
    assertThat(graph.launches()).containsExactly(addTo, addTo);
    try (CudaGraphExecutable executable = graph.instantiate()) {
      for (int i = 0; i < 3; i++) {
        executable.launch(stream);
        add(addTo, stream, values, 100);
      }
      assertThat(ints(values, COUNT)).containsOnly(110);
    }
  }

  /** The driver ties a capture to a thread of the operating system, and a virtual thread may change it at each wait. */
  @Test
  void aVirtualThreadCapturesOnAPlatformThread() throws Exception {
    long values = upload(new int[COUNT]);
    Thread[] capturing = new Thread[1];
    CudaGraph graph;
    try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      graph = virtual.submit(() -> stream.capture(() -> {
        capturing[0] = Thread.currentThread();
        add(addTo, stream, values, 7);
      })).get();
    }
    assertThat(capturing[0].isVirtual()).isFalse();
    try (CudaGraphExecutable executable = graph.instantiate()) {
      executable.launch(stream);
      assertThat(ints(values, COUNT)).containsOnly(7);
    }
  }

  @Test
  void aCaptureGoesOverToStreamsThatWaitForItsMarks() {
    CudaStream second = device.newStream("second");
    long left = upload(new int[COUNT]);
    long right = upload(new int[COUNT]);
    long other = upload(new int[COUNT]);
    CudaGraph graph = stream.capture(() -> {
      add(addTo, stream, left, 1);
      second.waitFor(stream, stream.record());
      second.copyOnDevice(right, left, 4L * COUNT);
      add(addTo, second, right, 10);
      add(addTo, stream, other, 1);
      stream.waitFor(second, second.record());
      add(addTo, stream, right, 100);
    });
    CudaGraphExecutable executable = graph.instantiate();
    for (int i = 1; i <= 4; i++) {
      executable.launch(stream);
    }
    assertThat(ints(right, COUNT)).containsOnly(114);
    assertThat(ints(left, COUNT)).containsOnly(4);
    assertThat(ints(other, COUNT)).containsOnly(4);
    second.synchronize();
  }

  @Test
  void marksOfACaptureAreNoMomentsUntilItEnds() {
    long before = stream.record();
    stream.synchronize();
    long[] inside = new long[1];
    stream.capture(() -> {
      inside[0] = stream.record();
      assertThat(stream.hasPassed(before)).isTrue();
      assertThatThrownBy(() -> stream.hasPassed(inside[0])).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("captured");
    }).close();
    assertThat(inside[0]).isEqualTo(before + 1);
    stream.synchronize();
    assertThat(stream.hasPassed(inside[0])).isTrue();
    assertThat(stream.record()).isEqualTo(before + 2);
  }

  @Test
  void manyMarksFitIntoACapture() {
    long values = upload(new int[COUNT]);
    CudaStream second = device.newStream("second");
    CudaGraph graph = stream.capture(() -> {
      for (int i = 0; i < 100; i++) {
        add(addTo, stream, values, 1);
        second.waitFor(stream, stream.record());
        add(addTo, second, values, 1);
        stream.waitFor(second, second.record());
      }
    });
    graph.instantiate().launch(stream);
    assertThat(ints(values, COUNT)).containsOnly(200);
  }

  @Test
  void launchesOfAnExecutableGetNewArguments() {
    long first = upload(new int[COUNT]);
    long second = upload(new int[COUNT]);
    CudaGraph graph = stream.capture(() -> {
      add(addTo, stream, first, 1);
      add(addTo, stream, first, 10);
    });
    CudaGraphExecutable executable = graph.instantiate();
    executable.launch(stream);
    ArgumentBlock block = arguments(second, 1000, COUNT);
    executable.update(1, LaunchShape.of(1, 64), block);
    block.set(1, -1);
    executable.launch(stream);
    assertThat(ints(first, COUNT)).containsOnly(12);
    int[] got = ints(second, COUNT);
    for (int i = 0; i < COUNT; i++) {
      assertThat(got[i]).isEqualTo(i < 64 ? 1000 : 0);
    }
  }

  @Test
  void aThrowInACaptureLeavesTheStreamAsItWas() {
    long values = upload(new int[COUNT]);
    assertThatThrownBy(() -> stream.capture(() -> {
      add(addTo, stream, values, 1);
      throw new IllegalStateException("on purpose");
    })).isInstanceOf(IllegalStateException.class).hasMessage("on purpose");
    add(addTo, stream, values, 7);
    assertThat(ints(values, COUNT)).containsOnly(7);
  }

  @Test
  void aStreamThatIsNotWaitedForSpoilsTheCapture() {
    CudaStream second = device.newStream("second");
    long values = upload(new int[COUNT]);
    assertThatThrownBy(() -> stream.capture(() -> {
      second.waitFor(stream, stream.record());
      add(addTo, second, values, 1);
    })).isInstanceOfSatisfying(CudaFailure.class, it -> assertThat(it.call()).isEqualTo("cuStreamEndCapture"));
    add(addTo, second, values, 3);
    second.synchronize();
    assertThat(ints(values, COUNT)).containsOnly(3);
  }

  @Test
  void waitingOnTheHostIsNoPartOfACapture() {
    assertThatThrownBy(() -> stream.capture(stream::synchronize)).isInstanceOfSatisfying(CudaFailure.class,
      it -> assertThat(it.call()).isEqualTo("cuStreamSynchronize"));
    stream.synchronize();
  }

  @Test
  void aGraphAndItsExecutablesEndWithTheDevice() {
    long room = room(64);
    CudaGraph graph = stream.capture(() -> stream.fill(room, (byte) 1, 64));
    CudaGraphExecutable executable = graph.instantiate();
    device.close();
    assertThatThrownBy(() -> executable.launch(stream)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(graph::instantiate).isInstanceOf(IllegalStateException.class);
    device.close();
  }
}
