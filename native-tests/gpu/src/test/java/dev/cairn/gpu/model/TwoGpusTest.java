package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays on two GPUs, which copy from each other where the driver has a direct way, and through the host elsewhere. */
@Tag("long")
class TwoGpusTest {
  /** Copies through the host go in pieces of 4 MiB: two whole ones, and the rest. */
  private static final int ELEMENTS = 2_200_000;

  @BeforeAll
  static void areThere() {
    Assumptions.assumeTrue(CudaUnderTest.driver().deviceCount() > 1, "skipped: one GPU");
  }

  private static ArrayRuntime open(Kind kind) {
    DeviceOptions second = DeviceOptions.cuda(1).withRequired(true).withSearch(CudaUnderTest.search());
    return ArrayRuntime.open(ArrayOptions.DEFAULT.withDevices(CudaUnderTest.device(), second).withEngine(kind)
      .withThreads(1));
  }

  private static void copyBackAndForth(ArrayRuntime arrays) {
    try (var _ = arrays.scope()) {
      NDArray x = arrays.ones(DType.FLOAT32, ELEMENTS).add(1);
      NDArray y = x.to("cuda:1").mul(3);
      assertThat(y.device()).isEqualTo("cuda:1");
      NDArray back = y.to("cuda:0").add(x);
      y.fill(0);
      back.copyTo(y);
      assertThat(back.get("-1").item()).isEqualTo(8);
      assertThat(y.sum().item()).isEqualTo(8.0 * ELEMENTS);
    }
    arrays.waitAll();
    assertThat(arrays.stats().storages()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void arraysMoveBetweenThem(Kind kind) {
    try (var arrays = open(kind)) {
      copyBackAndForth(arrays);
    }
  }

  /** The build runs this class twice: with a direct way, and without. */
  @Test
  void theHostIsAskedOnlyWhereThereIsNoDirectWay() {
    Assumptions.assumeFalse(CudaUnderTest.isReal(), "skipped: a GPU counts no calls");
    Simulator simulator = CudaUnderTest.simulator();
    try (var arrays = open(Kind.PER_DEVICE); var _ = arrays.scope()) {
      NDArray x = arrays.ones(DType.FLOAT32, 5);
      x.waitToRead();
      long before = simulator.calls("cuMemcpyDtoHAsync");
      NDArray y = x.to("cuda:1");
      y.waitToRead();
      boolean isDirect = !"0".equals(System.getenv("CAIRN_SIM_PEERS"));
      assertThat(simulator.calls("cuMemcpyDtoHAsync") == before).isEqualTo(isDirect);
      assertThat(y.toFloatArray()).containsOnly(1);
    }
  }
}
