package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import org.junit.jupiter.api.Test;

class ExecutorPoolTest {
  private static final long EXECUTOR_BYTES = 2 * CompiledFixture.POOL_BYTES;

  /** Takes an executor as runs do. */
  private static StaticExecutor take(ExecutorPool pool, CompiledFixture fixture) {
    StaticExecutor idle = pool.take();
    if (idle != null) {
      return idle;
    }
    StaticExecutor made = fixture.newExecutor();
    pool.add(made);
    return made;
  }

  @Test
  void anIdleExecutorIsTakenBeforeAnotherIsMade() {
    try (var fixture = new CompiledFixture(1 << 20); var pool = new ExecutorPool()) {
      StaticExecutor first = take(pool, fixture);
      StaticExecutor second = take(pool, fixture);
      assertThat(second).isNotSameAs(first);
      pool.giveBack(first);
      StaticExecutor third = take(pool, fixture);
      assertThat(third).isSameAs(first);
      pool.giveBack(second);
      pool.giveBack(third);
      assertThat(fixture.allocator().stats().liveCount()).as("two executors of two pools").isEqualTo(4);
    }
  }

  @Test
  void anExecutorThatDoesNotFitIsOutOfMemoryAndThePoolStaysUsable() {
    try (var fixture = new CompiledFixture(EXECUTOR_BYTES); var pool = new ExecutorPool()) {
      Block other = fixture.allocator().allocate(EXECUTOR_BYTES, "other");
      assertThatThrownBy(() -> take(pool, fixture)).isInstanceOf(OutOfMemory.class);
      fixture.allocator().free(other);
      pool.giveBack(take(pool, fixture));
    }
  }

  @Test
  void closingIdleExecutorsLeavesThoseInUse() {
    try (var fixture = new CompiledFixture(1 << 20); var pool = new ExecutorPool()) {
      StaticExecutor first = take(pool, fixture);
      StaticExecutor second = take(pool, fixture);
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
    try (var fixture = new CompiledFixture(1 << 20); var pool = new ExecutorPool()) {
      StaticExecutor used = take(pool, fixture);
      assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("made=1");
      pool.giveBack(used);
    }
  }
}
