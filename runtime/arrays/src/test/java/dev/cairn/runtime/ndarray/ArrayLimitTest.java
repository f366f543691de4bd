package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.Rounding;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that make and close arrays under a limit of memory. */
class ArrayLimitTest {
  private static final long BYTES = 1L << 15;
  private static final int LOOPS = 100;

  private static ArrayOptions limited(long arrays) {
    return ArrayOptions.DEFAULT.withThreads(2).withMemory(ArrayMemory.DEFAULT.withLimitBytes(arrays * BYTES));
  }

  private static NDArray ones(ArrayRuntime arrays) {
    return arrays.ones(DType.FLOAT32, BYTES / Float.BYTES);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void closedArraysMakeRoom(Kind kind) {
    try (var arrays = ArrayRuntime.open(limited(4).withEngine(kind)); NDArray a = ones(arrays)) {
      for (int i = 0; i < LOOPS; i++) {
        try (NDArray b = a.add(i); NDArray _ = b.exp(); NDArray d = b.mul(2)) {
          assertThat(d.isClosed()).isFalse();
        }
      }
      arrays.waitAll();
      assertThat(arrays.stats().storages()).isEqualTo(1);
    }
  }

  @Test
  void openArraysAreRefused() {
    try (var arrays = ArrayRuntime.open(limited(2));
      NDArray _ = ones(arrays);
      NDArray _ = ones(arrays);
      NDArray third = ones(arrays)) {
      assertThatThrownBy(third::waitToRead).isInstanceOf(OperationFailed.class).hasMessageContaining(
        "out of memory");
    }
  }

  /** 4,100 bytes: by powers of two, in steps of 1,024, and in those of 256 that the allocator has anyway. */
  @Test
  void memoryIsRoundedAsTheOptionsSay() {
    ArrayMemory steps = ArrayMemory.DEFAULT.withRounding(Rounding.multipleOf(1024));
    assertThat(bytesInUse(ArrayMemory.DEFAULT)).isEqualTo(8192);
    assertThat(bytesInUse(steps)).isEqualTo(5120);
    assertThat(bytesInUse(steps.withKind(ArrayMemory.Kind.UNPOOLED))).isEqualTo(5120);
    assertThat(bytesInUse(steps.withKind(ArrayMemory.Kind.NAIVE))).isEqualTo(4352);
  }

  private static long bytesInUse(ArrayMemory memory) {
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withMemory(memory));
      NDArray x = arrays.of(new float[1025], 1025)) {
      x.waitToRead();
      return arrays.stats().memory().bytesInUse();
    }
  }
}
