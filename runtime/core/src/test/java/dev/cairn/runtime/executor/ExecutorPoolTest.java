package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExecutorPoolTest {
  private static final long EXECUTOR_BYTES = 2 * CompiledFixture.POOL_BYTES;
  private static final long RESULT_BYTES = 4096;

  private static ExecutorPool pool(CompiledFixture fixture, int most) {
    return new ExecutorPool(fixture::newExecutor, most);
  }

  private static ExecutorPool.Admission<Block> admit(ExecutorPool pool, CompiledFixture fixture) {
    return pool.admit(() -> fixture.allocator().allocate(RESULT_BYTES, "result"), RunLimit.NONE);
  }

  @Test
  void anIdleExecutorIsTakenBeforeAnotherIsMade() {
    try (var fixture = new CompiledFixture(1 << 20); var pool = pool(fixture, 4)) {
      pool.prepare();
      var first = admit(pool, fixture);
      var second = admit(pool, fixture);
      assertThat(second.executor()).isNotSameAs(first.executor());
      pool.giveBack(first.executor());
      var third = admit(pool, fixture);
      assertThat(third.executor()).isSameAs(first.executor());
      pool.giveBack(second.executor());
      pool.giveBack(third.executor());
      assertThat(fixture.allocator().stats().liveCount()).as("two executors of two pools, three results").isEqualTo(7);
      List.of(first, second, third).forEach(it -> fixture.allocator().free(it.results()));
    }
  }

  @Test
  void atMostSoManyRunAtATimeAndTheNextWaits() throws Exception {
    try (var fixture = new CompiledFixture(1 << 20);
      var pool = pool(fixture, 1);
      var threads = Executors
        .newSingleThreadExecutor()) {
      var first = admit(pool, fixture);
      var started = new CountDownLatch(1);
      Future<ExecutorPool.Admission<Block>> waiting = threads.submit(() -> {
        started.countDown();
        return admit(pool, fixture);
      });
      started.await();
      assertThat(waiting.isDone()).isFalse();
      pool.giveBack(first.executor());
      var second = waiting.get();
      assertThat(second.executor()).isSameAs(first.executor());
      pool.giveBack(second.executor());
      fixture.allocator().free(first.results());
      fixture.allocator().free(second.results());
    }
  }

  @Test
  void whatDoesNotFitOnceIsOutOfMemoryAndThePoolStaysUsable() {
    try (var fixture = new CompiledFixture(EXECUTOR_BYTES + RESULT_BYTES); var pool = pool(fixture, 4)) {
      Block other = fixture.allocator().allocate(EXECUTOR_BYTES, "other");
      assertThatThrownBy(() -> admit(pool, fixture)).isInstanceOf(OutOfMemory.class);
      fixture.allocator().free(other);
      var admission = admit(pool, fixture);
      pool.giveBack(admission.executor());
      assertThatThrownBy(() -> admit(pool, fixture)).as("the result is still open").isInstanceOfSatisfying(
        OutOfMemory.class,
        e -> assertThat(e.owner().label()).isEqualTo("result"));
      fixture.allocator().free(admission.results());
      var again = admit(pool, fixture);
      pool.giveBack(again.executor());
      fixture.allocator().free(again.results());
    }
  }

  @Test
  void resultsDisplaceAnExecutorThatNobodyNeeds() {
    try (var fixture = new CompiledFixture(2 * EXECUTOR_BYTES + 2 * RESULT_BYTES); var pool = pool(fixture, 4)) {
      List<Block> results = new ArrayList<>();
      var first = admit(pool, fixture);
      var second = admit(pool, fixture);
      pool.giveBack(first.executor());
      pool.giveBack(second.executor());
      results.add(first.results());
      results.add(second.results());
      var third = admit(pool, fixture);
      pool.giveBack(third.executor());
      results.add(third.results());
      assertThat(fixture.allocator().stats().liveCount()).as("one executor of two pools, three results").isEqualTo(5);
      results.forEach(fixture.allocator()::free);
    }
  }

  @Test
  void anyOtherFailureOfTheResultsGivesTheExecutorBack() {
    var failures = new AtomicInteger(1);
    try (var fixture = new CompiledFixture(1 << 20); var pool = pool(fixture, 1)) {
      Supplier<String> results = () -> {
        if (failures.getAndDecrement() > 0) {
          throw new IllegalStateException("closed meanwhile");
        }
        return "result";
      };
      assertThatThrownBy(() -> pool.admit(results, RunLimit.NONE)).isInstanceOf(IllegalStateException.class)
        .hasMessage("closed meanwhile");
      var admission = pool.admit(results, RunLimit.NONE);
      assertThat(admission.results()).isEqualTo("result");
      pool.giveBack(admission.executor());
    }
  }

  @Test
  void closingWhileARunIsUnderWayIsRefused() {
    try (var fixture = new CompiledFixture(1 << 20); var pool = pool(fixture, 2)) {
      var admission = admit(pool, fixture);
      assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("made=1 idle=0");
      pool.giveBack(admission.executor());
      fixture.allocator().free(admission.results());
    }
  }

  @Test
  void aPoolNeedsRoomForOne() {
    try (var fixture = new CompiledFixture(1 << 20)) {
      assertThatThrownBy(() -> pool(fixture, 0)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("most=0");
    }
  }

  @Test
  void manyThreadsStayWithinTheLimitAndAllGetThrough() throws Exception {
    // Room for two and a half executors: making a third fails, and waiting begins.
    long limit = 5 * EXECUTOR_BYTES / 2 + 16 * RESULT_BYTES;
    try (var fixture = new CompiledFixture(limit);
      var pool = pool(fixture, 8);
      var threads = Executors.newFixedThreadPool(
        12)) {
      List<Callable<Double>> tasks = new ArrayList<>();
      for (int t = 0; t < 200; t++) {
        float value = t % 7 - 3;
        tasks.add(() -> {
          var admission = admit(pool, fixture);
          try {
            admission.executor().run(List.of(fixture.input(value)));
            return admission.executor().output(0).doubleAt(CompiledFixture.COUNT / 2) - CompiledFixture.expected(value);
          } finally {
            fixture.allocator().free(admission.results());
            pool.giveBack(admission.executor());
          }
        });
      }
      for (Future<Double> error : threads.invokeAll(tasks)) {
        assertThat(Math.abs(error.get())).isLessThan(1e-5);
      }
      assertThat(fixture.allocator().stats().peakPoolBytes()).isLessThanOrEqualTo(limit);
      assertThat(fixture.allocator().stats().liveCount()).isEven();
    }
  }
}
