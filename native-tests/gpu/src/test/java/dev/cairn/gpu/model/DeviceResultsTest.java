package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.session.RunOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Results in a GPU's memory and in page-locked memory, by the calls of the driver that they cost. */
class DeviceResultsTest {
  private static final RunOptions ON_DEVICE = RunOptions.DEFAULT.withResultsOnDevice();
  private static final String TO_HOST = "cuMemcpyDtoHAsync_v2";
  private static final String TO_DEVICE = "cuMemcpyHtoDAsync_v2";
  private static final int LARGE = 40_000;

  private static SessionOptions cuda(boolean replay) {
    return SessionOptions.DEFAULT.withThreads(1).withDevice(CudaUnderTest.device().withReplay(replay));
  }

  /** y = x + x, and the sum of all x. */
  private static Graph twice(int count) {
    var builder = new GraphBuilder("twice");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, count));
    builder.output("y", builder.apply("Add", x, x));
    builder.output("sum", builder.apply("ReduceSum", x));
    return builder.build();
  }

  private static Tensor ones(int count) {
    float[] values = new float[count];
    Arrays.fill(values, 1);
    return Tensor.of(values, count);
  }

  @Test
  void aResultOnTheDeviceIsTheNextRunsInputWithoutACopyToTheHost() {
    Simulator simulator = CudaUnderTest.simulator();
    for (boolean replay : new boolean[] {true, false}) {
      for (int count : new int[] {10, LARGE}) {
        try (var session = Session.of(twice(count), cuda(replay)); Tensor x = ones(count)) {
          Result last = session.run(Map.of("x", x), ON_DEVICE);
          long toHost = simulator.calls(TO_HOST);
          long toDevice = simulator.calls(TO_DEVICE);
          for (int run = 0; run < 5; run++) {
            Result next = session.run(Map.of("x", last.get("y")), ON_DEVICE);
            last.close();
            last = next;
          }
          assertThat(simulator.calls(TO_HOST)).isEqualTo(toHost);
          assertThat(simulator.calls(TO_DEVICE)).isEqualTo(toDevice);
          assertThat(last.get("y").isOnDevice()).isTrue();
          assertThat(last.get("y").toFloatArray()).hasSize(count).containsOnly(64);
          assertThat(last.get("sum").toFloatArray()).containsExactly(32 * count);
          assertThat(simulator.calls(TO_HOST)).as("the host asked").isGreaterThan(toHost);
          last.close();
        }
      }
    }
  }

  @Test
  void arraysOfTheHostAreInputsAndResults() {
    for (boolean replay : new boolean[] {true, false}) {
      for (int count : new int[] {10, LARGE}) {
        try (var session = Session.of(twice(count), cuda(replay));
          var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1));
          var _ = arrays.scope()) {
          NDArray x = arrays.ones(DType.FLOAT32, count);
          for (int run = 0; run < 3; run++) {
            Map<String, NDArray> results = arrays.run(session, Map.of("x", x));
            assertThat(Objects.requireNonNull(results.get("sum")).toFloatArray()).containsExactly((1 << run) * count);
            x = Objects.requireNonNull(results.get("y"));
          }
          assertThat(x.toFloatArray()).hasSize(count).containsOnly(8);
        }
      }
    }
  }

  @Test
  void someOutputsStayAndOthersDoNotAndRunsOfBothKindsMayFollowEachOther() {
    for (boolean replay : new boolean[] {true, false}) {
      try (var session = Session.of(twice(LARGE), cuda(replay)); Tensor x = ones(LARGE)) {
        for (int run = 0; run < 4; run++) {
          try (Result kept = session.run(Map.of("x", x), RunOptions.DEFAULT.withResultsOnDevice("y"));
            Result plain = session.run(Map.of("x", kept.get("y")))) {
            assertThat(kept.get("y").isOnDevice()).isTrue();
            assertThat(kept.get("sum").isOnDevice()).isFalse();
            assertThat(kept.get("sum").toFloatArray()).containsExactly(LARGE);
            assertThat(plain.get("y").isOnDevice()).isFalse();
            assertThat(plain.get("y").toFloatArray()).containsOnly(4);
            assertThat(plain.get("sum").toFloatArray()).containsExactly(2 * LARGE);
          }
        }
      }
    }
  }

  @Test
  void aLargeResultIsOneCopyIntoMemoryThatIsUsedAgain() {
    Simulator simulator = CudaUnderTest.simulator();
    try (var session = Session.of(twice(LARGE), cuda(true)); Tensor x = ones(LARGE)) {
      for (int run = 0; run < 3; run++) {
        session.run(Map.of("x", x)).close();
      }
      List<String> calls = List.of(TO_HOST, "cuMemAllocHost_v2", "cuStreamSynchronize", "cuGraphLaunch");
      List<Long> before = calls.stream().map(simulator::calls).toList();
      try (Result result = session.run(Map.of("x", x))) {
        assertThat(calls.stream().map(simulator::calls).toList()).as("%s: one copy beside the recorded run", calls)
          .containsExactly(before.get(0) + 1, before.get(1), before.get(2) + 1, before.get(3) + 1);
        assertThat(result.get("y").toFloatArray()).containsOnly(2);
        assertThat(result.get("sum").toFloatArray()).containsExactly(LARGE);
      }
    }
  }

  @Test
  void pageLockedInputsAreReadWhereTheyLie() {
    for (int count : new int[] {10, LARGE}) {
      try (var session = Session.of(twice(count), cuda(true)); Tensor x = session.newInput(DType.FLOAT32, count)) {
        for (int run = 1; run < 5; run++) {
          for (int i = 0; i < count; i++) {
            x.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, run);
          }
          try (Result result = session.run(Map.of("x", x))) {
            assertThat(result.get("y").toFloatArray()).containsOnly(2 * run);
          }
        }
      }
    }
  }

  @Test
  void aResultOnTheDeviceOutlivesItsSessionAndIsReadByTheProcessorsToo() {
    Simulator simulator = CudaUnderTest.simulator();
    String leaks = simulator.leaks();
    Result result;
    try (var session = Session.of(twice(LARGE), cuda(true)); Tensor x = ones(LARGE)) {
      result = session.run(Map.of("x", x), ON_DEVICE);
    }
    try (var onHost = Session.of(twice(LARGE), SessionOptions.DEFAULT.withThreads(1));
      Result next = onHost.run(Map.of("x", result.get("y")))) {
      assertThat(next.get("y").toFloatArray()).containsOnly(4);
    }
    MemorySegment segment = result.get("y").segment();
    assertThat(segment.get(ValueLayout.JAVA_FLOAT, 0)).isEqualTo(2);
    result.close();
    assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_FLOAT, 0)).isInstanceOf(IllegalStateException.class);
    assertThat(simulator.leaks()).isEqualTo(leaks);
  }
}
