package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.testing.GarbageMeter;
import org.junit.jupiter.api.Test;

/** What a small call leaves to the collector. */
class ArrayGarbageTest {
  private static final int CALLS = 1000;
  /**
   * On the calling thread, which also runs short operations: array, range, storage, variable, footprint, operation,
   * block of the engine, work, block and view. It holds where the JVM interprets all code, which makes objects of
   * vectors, too; compiled code makes about 650 bytes a call.
   */
  private static final long MOST_BYTES = 1060;

  @Test
  void aCallMakesFewObjects() {
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1)); var _ = arrays.scope()) {
      NDArray a = arrays.ones(DType.FLOAT32, 16);
      NDArray b = arrays.ones(DType.FLOAT32, 16);
      long bytes = GarbageMeter.leastBytes(() -> {
        try (var _ = arrays.scope()) {
          for (int i = 0; i < CALLS; i++) {
            a.add(b);
          }
          arrays.waitAll();
        }
      });
      assertThat(bytes / CALLS).isLessThan(MOST_BYTES);
    }
  }
}
