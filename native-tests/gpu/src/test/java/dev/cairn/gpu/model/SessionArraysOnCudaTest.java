package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayTensors;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Sessions over arrays in a GPU's memory, by the calls of the driver that they cost. */
class SessionArraysOnCudaTest {
  private static final List<String> COPIES = List.of("cuMemcpyDtoHAsync_v2", "cuMemcpyHtoDAsync_v2");
  private static final int LARGE = 40_000;

  private static Session twice(SessionOptions options) {
    var builder = new GraphBuilder("twice");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, LARGE));
    builder.output("y", builder.apply("Add", x, x));
    return Session.of(builder.build(), options.withThreads(1));
  }

  private static NDArray run(Session session, ArrayRuntime arrays, NDArray x) {
    return Objects.requireNonNull(arrays.run(session, Map.of("x", x)).get("y"));
  }

  @Test
  void takesAndGivesArraysOfItsGpuWithoutACopyThroughTheHost() {
    Simulator simulator = CudaUnderTest.simulator();
    ArrayOptions options = ArrayOptions.DEFAULT.withDevice(CudaUnderTest.device());
    try (var arrays = ArrayRuntime.open(options);
      var _ = arrays.scope();
      Session session = twice(SessionOptions.DEFAULT.withDevice(CudaUnderTest.device()))) {
      NDArray x = arrays.ones(DType.FLOAT32, LARGE).add(1);
      run(session, arrays, x).waitToRead();
      List<Long> before = COPIES.stream().map(simulator::calls).toList();
      NDArray y = run(session, arrays, run(session, arrays, x)).mul(x);
      y.waitToRead();
      assertThat(COPIES.stream().map(simulator::calls).toList()).isEqualTo(before);
      assertThat(y.device()).isEqualTo("cuda:0");
      assertThat(y.toFloatArray()).containsOnly(16);
      assertThat(run(session, arrays, x.to("cpu")).toFloatArray()).containsOnly(4);
    }
  }

  @Test
  void sessionsAndArraysOfDifferentDevicesMeetOnTheHost() {
    ArrayOptions options = ArrayOptions.DEFAULT.withDevice(CudaUnderTest.device());
    try (var onGpu = ArrayRuntime.open(options);
      var _ = onGpu.scope();
      var onHost = ArrayRuntime.open(ArrayOptions.DEFAULT);
      var _ = onHost.scope();
      Session host = twice(SessionOptions.DEFAULT);
      Session gpu = twice(SessionOptions.DEFAULT.withDevice(CudaUnderTest.device()))) {
      NDArray y = run(host, onGpu, onGpu.ones(DType.FLOAT32, LARGE));
      assertThat(y.device()).isEqualTo("cpu");
      assertThat(y.toFloatArray()).containsOnly(2);
      NDArray z = run(gpu, onHost, onHost.ones(DType.FLOAT32, LARGE));
      assertThat(z.device()).isEqualTo("cpu");
      assertThat(z.toFloatArray()).containsOnly(2);
    }
  }

  @Test
  void tensorsOfArraysAreCopies() {
    ArrayOptions options = ArrayOptions.DEFAULT.withDevice(CudaUnderTest.device());
    Tensor kept;
    try (var arrays = ArrayRuntime.open(options); var _ = arrays.scope()) {
      kept = ArrayTensors.tensor(arrays.ones(DType.FLOAT32, 3));
      NDArray back = ArrayTensors.array(arrays, kept);
      assertThat(back.device()).isEqualTo("cpu");
      assertThat(back.to("cuda:0").add(1).toFloatArray()).containsOnly(2);
    }
    assertThat(kept.toFloatArray()).containsOnly(1);
    kept.close();
  }
}
