package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import org.junit.jupiter.api.Test;

class ExecutorPoolTest {
  private static final long EXECUTOR_BYTES = 2 * CompiledFixture.POOL_BYTES;

  @Test
  void anIdleExecutorIsTakenBeforeAnotherIsMade() {
    try (var fixture = new CompiledFixture(1 << 20); var pool = new ExecutorPool(fixture::newExecutor)) {
      StaticExecutor first = pool.take();
      StaticExecutor second = pool.take();
      assertThat(second).isNotSameAs(first);
      pool.giveBack(first);
      StaticExecutor third = pool.take();
      assertThat(third).isSameAs(first);
      pool.giveBack(second);
      pool.giveBack(third);
      assertThat(fixture.allocator().stats().liveCount()).as("two executors of two pools").isEqualTo(4);
    }
  }

  @Test
  void anExecutorThatDoesNotFitIsOutOfMemoryAndThePoolStaysUsable() {
    try (var fixture = new CompiledFixture(EXECUTOR_BYTES); var pool = new ExecutorPool(fixture::newExecutor)) {
      Block other = fixture.allocator().allocate(EXECUTOR_BYTES, "other");
      assertThatThrownBy(pool::take).isInstanceOf(OutOfMemory.class);
      fixture.allocator().free(other);
      pool.giveBack(pool.take());
    }
  }

  @Test
  void closingIdleExecutorsLeavesThoseInUse() {
    try (var fixture = new CompiledFixture(1 << 20); var pool = new ExecutorPool(fixture::newExecutor)) {
      StaticExecutor first = pool.take();
      StaticExecutor second = pool.take();
      pool.giveBack(first);
      assertThat(pool.closeIdle()).as("one is in use").isFalse();
      assertThat(first.isClosed()).isTrue();
      assertThat(second.isClosed()).isFalse();
      pool.giveBack(second);
      assertThat(pool.closeIdle()).isTrue();
      assertThat(fixture.allocator().stats().liveCount()).isZero();
    }
  }

  @Test
  void closingWhileARunIsUnderWayIsRefused() {
    try (var fixture = new CompiledFixture(1 << 20); var pool = new ExecutorPool(fixture::newExecutor)) {
      StaticExecutor used = pool.take();
      assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("made=1");
      pool.giveBack(used);
    }
  }
}
