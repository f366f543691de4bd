package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.util.List;
import org.junit.jupiter.api.Test;

class StaticExecutorTest {
  @Test
  void runsAgainAndAgainInTheSamePools() {
    try (var fixture = new CompiledFixture(1 << 20)) {
      assertThat(fixture.compiled().plan().pools()).as("the tests below count on it").hasSize(2);
      try (var executor = fixture.newExecutor()) {
        long granted = fixture.allocator().stats().allocationCount();
        for (float value : new float[] {0.5f, -2, 0}) {
          executor.run(List.of(fixture.input(value)));
          assertThat(executor.output(0).type()).isEqualTo(TensorType.of(DType.FLOAT32, CompiledFixture.COUNT));
          for (int i : new int[] {0, CompiledFixture.COUNT - 1}) {
            assertThat(executor.output(0).doubleAt(i)).isCloseTo(CompiledFixture.expected(value), within(1e-6));
          }
        }
        assertThat(fixture.allocator().stats().allocationCount()).isEqualTo(granted);
        assertThat(fixture.allocator().stats().liveCount()).isEqualTo(2);
      }
      assertThat(fixture.allocator().stats().liveCount()).isZero();
    }
  }

  @Test
  void aPoolThatDoesNotFitGivesTheOthersBack() {
    try (var fixture = new CompiledFixture(CompiledFixture.POOL_BYTES + 256)) {
      assertThatThrownBy(fixture::newExecutor)
        .isInstanceOfSatisfying(OutOfMemory.class, e -> assertThat(e.owner().label()).isEqualTo("plan/pool1"));
      assertThat(fixture.allocator().stats().bytesInUse()).isZero();
    }
  }

  @Test
  void refusesTooFewAndTooManyInputsAndStaysUsable() {
    try (var fixture = new CompiledFixture(1 << 20); var executor = fixture.newExecutor()) {
      var x = fixture.input(1);
      assertThatThrownBy(() -> executor.run(List.of())).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
          "inputs=0");
      assertThatThrownBy(() -> executor.run(List.of(x, x))).isInstanceOf(IllegalArgumentException.class);
      executor.run(List.of(x));
      assertThat(executor.output(0).doubleAt(7)).isCloseTo(CompiledFixture.expected(1), within(1e-6));
    }
  }
}
