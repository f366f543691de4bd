package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.engine.OperationFailed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A-12, where other threads compute meanwhile: all memory goes back, and they are refused. */
@Timeout(60)
class ArrayClosingTest {
  private static final int ROUNDS = 300;
  private static final long STEP_NANOS = 5_000;

  private static void computeUntilRefused(NDArray x) {
    try {
      while (true) {
        NDArray y = x.add(x);
        y.toFloatArray();
        y.close();
      }
    } catch (IllegalStateException | OperationFailed e) {
      assertThat(e).hasMessageMatching("(?s).*(closed|deleted|stopped).*");
    }
  }

  @ParameterizedTest
  @EnumSource(value = EngineOptions.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
  void aRuntimeIsClosedWhileThreadsMakeAndCloseArrays(EngineOptions.Kind kind) throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(kind));
      NDArray x = arrays.zeros(DType.FLOAT32, 4);
      List<Thread> threads = Stream.generate(() -> Thread.ofPlatform().start(() -> computeUntilRefused(x))).limit(2)
        .toList();
      LockSupport.parkNanos(round * STEP_NANOS);
      arrays.close();
      for (Thread thread : threads) {
        assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
      }
      assertThat(arrays.stats().storages()).isZero();
    }
  }
}
