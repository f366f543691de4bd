package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.HeldArray;
import dev.cairn.runtime.ndarray.NDArray;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a loop takes of a GPU's memory: a block that is freed on a stream serves the next request of that stream at
 * once, however far the stream lags behind the host.
 */
class ArrayMemoryOnCudaTest {
  private static ArrayRuntime open(Kind kind) {
    return open(EngineOptions.DEFAULT.withKind(kind));
  }

  private static ArrayRuntime open(EngineOptions engine) {
    return ArrayRuntime.open(ArrayOptions.DEFAULT.withDevices(CudaUnderTest.device(), DeviceOptions.CPU).withEngine(
      engine).withThreads(1).withSeed(7));
  }

  private static long peakPoolBytes(ArrayRuntime arrays) {
    return arrays.stats().memory().pool().peak();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aLoopOfSmallProducts(Kind kind) {
    try (ArrayRuntime arrays = open(kind); ArrayScope _ = arrays.scope()) {
      NDArray x = arrays.ones(DType.FLOAT32, 64, 64);
      NDArray w = arrays.ones(DType.FLOAT32, 64, 64);
      for (int round = 0; round < 200; round++) {
        try (ArrayScope _ = arrays.scope()) {
          x.matmul(w).add(1);
        }
      }
      arrays.waitAll();
      assertThat(peakPoolBytes(arrays)).isLessThanOrEqualTo(8L << 20);
    }
  }

  /** One worker gives all products to one stream, which needs one workspace: 32 MiB, rounded to 48. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  @Tag("long")
  void productsOnAStreamThatLagsBehindTheHost(Kind kind) {
    products(EngineOptions.DEFAULT.withKind(kind).withThreads(new EngineOptions.Threads(1, 1, 1, 1, 1)), 64L << 20);
  }

  @Test
  @Tag("long")
  void productsOnTwoStreams() {
    products(EngineOptions.DEFAULT.withThreads(new EngineOptions.Threads(1, 1, 2, 1, 2)), 104L << 20);
  }

  private static void products(EngineOptions engine, long mostBytes) {
    try (ArrayRuntime arrays = open(engine); ArrayScope _ = arrays.scope()) {
      NDArray x = arrays.ones(DType.FLOAT32, 512, 512);
      NDArray w = arrays.ones(DType.FLOAT32, 512, 512);
      for (int round = 0; round < 500; round++) {
        x.matmul(w).close();
      }
      arrays.waitAll();
      assertThat(peakPoolBytes(arrays)).isLessThanOrEqualTo(mostBytes);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pageLockedMemoryOfTheHost(Kind kind) {
    try (ArrayRuntime arrays = open(kind); ArrayScope _ = arrays.scope()) {
      NDArray x = arrays.of(new float[] {1, 2, 3}, 3);
      NDArray pinned = x.mul(2).to("cpu_pinned");
      assertThat(pinned.place()).isEqualTo("cpu_pinned");
      assertThat(pinned.device()).isEqualTo("cpu");
      NDArray back = pinned.to("gpu");
      pinned.addi(1);
      assertThat(back.add(x).toFloatArray()).containsExactly(3, 6, 9);
      assertThat(pinned.toFloatArray()).containsExactly(3, 5, 7);
      assertThat(pinned.add(1).place()).isEqualTo("cpu");
      try (HeldArray held = pinned.hold()) {
        assertThat(held.view().segment().getAtIndex(ValueLayout.JAVA_FLOAT, 2)).isEqualTo(7);
      }
    }
  }
}
