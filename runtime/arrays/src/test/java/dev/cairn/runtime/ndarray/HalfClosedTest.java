package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.testing.OwnThreads;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the program does when its memory is no longer used fails while a runtime closes; all else is given back. */
class HalfClosedTest {
  @ParameterizedTest
  @EnumSource
  void aCallbackThatThrowsKeepsNothing(EngineOptions.Kind kind) {
    OwnThreads threads = OwnThreads.before();
    MemoryBudget budget = MemoryBudget.of(1 << 30);
    ArrayOptions options = ArrayOptions.DEFAULT;
    ArrayRuntime arrays = ArrayRuntime.open(options.withEngine(options.engine().withKind(kind)).withMemory(options
      .memory().withBudget(budget)));
    List<String> released = new ArrayList<>();
    try (Arena arena = Arena.ofShared()) {
      var view = new TensorView(TensorType.of(DType.FLOAT32, 4), arena.allocate(16, 4));
      arrays.of(new float[4], 4).add(1);
      arrays.wrapReadOnly(view, () -> released.add("first"));
      arrays.wrapReadOnly(view, () -> {
        released.add("second");
        throw new IllegalStateException("planted");
      });
      arrays.wrapReadOnly(view, () -> released.add("third"));
      arrays.of(new float[4], 4).add(2);
      if (kind == EngineOptions.Kind.NAIVE) {
        assertThatThrownBy(arrays::close).hasStackTraceContaining("planted");
      } else {
        arrays.close();
      }
    }
    assertThat(released).containsExactlyInAnyOrder("first", "second", "third");
    assertThat(budget.bytesInUse()).isZero();
    threads.awaitEndOfLaterOnes();
  }
}
