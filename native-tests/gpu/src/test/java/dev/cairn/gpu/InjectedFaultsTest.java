package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.cuda.ArgumentBlock;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaDriver;
import dev.cairn.kernels.cuda.CudaEvent;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaGraph;
import dev.cairn.kernels.cuda.CudaGraphExecutable;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.DeviceMemory;
import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.cuda.PinnedMemory;
import dev.cairn.kernels.cuda.compile.CudaProgram;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each call to the driver fails in turn, the first time it is made, the second, and so on, with an error of three
 * kinds: the failure must be typed and name the call, closing must leave nothing behind, and the next context must
 * work.
 */
class InjectedFaultsTest {
  private static final int OUT_OF_MEMORY = 2;
  private static final int UNKNOWN = 999;
  private static final int LAUNCH_FAILED = 719;

  private Simulator simulator;
  private byte[] image;

  @BeforeEach
  void compileOnce() {
    simulator = CudaUnderTest.simulator();
    CudaDriver driver = CudaUnderTest.driver();
    image = CudaUnderTest.compiler().compile(CudaProgram.of("add.cu", """
      extern "C" __global__ void add(int* values, int more) { values[threadIdx.x] += more; }
      """), driver.properties(0).architecture(), List.of());
  }

  /** Calls each part of the driver layer once. Returns the number that the kernel computed. */
  private int everything() {
    CudaDriver driver = CudaUnderTest.driver();
    assertThat(driver.version()).isPositive();
    assertThat(driver.deviceCount()).isPositive();
    CudaDevice device = CudaDevice.open(driver, 0);
    int answer;
    try {
      answer = onDevice(device);
      device.synchronize();
    } catch (RuntimeException | Error e) {
      closeAfter(e, device);
      closeAfter(e, device);
      throw e;
    }
    try {
      device.close();
      // A second close does nothing, unless the context seemed lost.
      device.close();
    } catch (CudaFailure e) {
      // A call that the driver refused may be tried again.
      closeAfter(e, device);
      throw e;
    }
    return answer;
  }

  private static void closeAfter(Throwable failure, CudaDevice device) {
    try {
      device.close();
      // A second close does nothing, unless the context seemed lost.
      device.close();
    } catch (CudaFailure e) {
      failure.addSuppressed(e);
    }
  }

  private int onDevice(CudaDevice device) {
    CudaStream stream = device.defaultStream();
    CudaStream second = device.newStream("second");
    DeviceMemory values = device.allocate(256);
    PinnedMemory host = device.allocatePinned(256);
    assertThat(device.memoryInfo().freeBytes()).isPositive();
    assertThat(device.reaches(device)).isFalse();
    CudaEvent began = device.newEvent();
    CudaEvent ended = device.newEvent();
    began.record(stream);
    CudaFunction add = device.load(image).function("add");
    assertThat(add.maximumBlockThreads()).isPositive();
    add.allowSharedBytes(16 << 10);
    host.segment().fill((byte) 0);
    stream.copyToDevice(values.address(), host.segment());
    stream.fill(values.address(), (byte) 0, 256);
    stream.fillInts(values.address(), 5, 64);
    ArgumentBlock arguments = new ArgumentBlock(2).set(0, values.address()).set(1, 10);
    add.launch(stream, LaunchShape.of(1, 64), arguments);
    long earlier = second.record();
    CudaGraph graph = stream.capture(() -> {
      // Another stream's progress may be queried while this stream is captured.
      assertThat(second.hasPassed(earlier)).isIn(true, false);
      add.launch(stream, LaunchShape.of(1, 64), arguments);
    });
    CudaGraphExecutable executable = graph.instantiate();
    executable.update(0, LaunchShape.of(1, 64), arguments.set(1, 100));
    executable.launch(stream);
    ended.record(stream);
    long mark = stream.record();
    second.waitFor(stream, mark);
    second.copyOnDevice(values.address() + 128, values.address(), 128);
    second.copyToHost(host.segment(), values.address());
    second.synchronize();
    assertThat(stream.hasPassed(mark)).isTrue();
    ended.synchronize();
    assertThat(began.millisUntil(ended)).isNotNegative();
    second.close();
    return host.segment().getAtIndex(ValueLayout.JAVA_INT, 40);
  }

  @Test
  void everyCallIsMadeAndNothingIsLeftWhenNoneFails() {
    String before = simulator.leaks();
    List<String> calls = DriverFunctions.called();
    assertThat(calls).contains("cuMemAlloc", "cuLaunchKernel", "cuGraphGetNodes").hasSizeGreaterThan(40);
    List<String> notMade = new ArrayList<>();
    long[] made = calls.stream().mapToLong(simulator::calls).toArray();
    assertThat(everything()).isEqualTo(115);
    for (int i = 0; i < made.length; i++) {
      if (simulator.calls(calls.get(i)) == made[i]) {
        notMade.add(calls.get(i));
      }
    }
    assertThat(notMade).as("with one GPU").containsExactly("cuCtxEnablePeerAccess");
    assertThat(simulator.leaks()).isEqualTo(before);
  }

  /** What is still held. A context that seems lost is given back with what is in it, which is then the driver's. */
  private String held() {
    return simulator.leaks().lines().filter(line -> !line.startsWith("abandoned with its context")).collect(Collectors
      .joining("\n"));
  }

  private void failAtEachTurn(int code) {
    boolean loses = code == LAUNCH_FAILED;
    String before = loses ? held() : simulator.leaks();
    for (String call : DriverFunctions.called()) {
      long made = simulator.calls(call);
      everything();
      int turns = (int) Math.min(12, simulator.calls(call) - made);
      for (int turn = 1; turn <= turns; turn++) {
        simulator.fail(call, turn, code);
        String what = "call=%s turn=%d code=%d".formatted(call, turn, code);
        try {
          everything();
          // The layer may do without the result, and calls again when it closes.
          assertThat(call).as(what).matches(".*(Destroy|Free|Unload|Release|Query|SetCurrent|Record).*");
        } catch (CudaFailure e) {
          assertThat(e.code()).as(what).isEqualTo(code);
          assertThat(call).as(what).startsWith(e.call());
          assertThat(e).hasMessageContaining("code=" + code);
        }
        simulator.clear(call);
        assertThat(loses ? held() : simulator.leaks()).as(what).isEqualTo(before);
      }
    }
    assertThat(everything()).isEqualTo(115);
  }

  @Test
  void aFailureOfAnyCallIsTypedAndLeavesNothing() {
    failAtEachTurn(UNKNOWN);
  }

  @Test
  void memoryThatRunsOutAtAnyCallLeavesNothing() {
    failAtEachTurn(OUT_OF_MEMORY);
  }

  @Test
  void aFaultReportedByAnyCallLeavesNothing() {
    failAtEachTurn(LAUNCH_FAILED);
  }

  @Test
  void aLostContextClosesAndTheNextOneWorks() {
    String before = simulator.leaks();
    CudaDevice device = CudaDevice.open(CudaUnderTest.driver(), 0);
    device.newStream("second").fill(device.allocate(256).address(), (byte) 1, 256);
    device.allocatePinned(256);
    simulator.loseContext();
    try {
      device.synchronize();
      throw new AssertionError("a lost context works");
    } catch (CudaFailure e) {
      assertThat(e.losesContext()).isTrue();
    }
    device.close();
    assertThat(simulator.leaks()).isEqualTo(before);
    assertThat(everything()).isEqualTo(115);
  }
}
