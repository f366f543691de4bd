package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BenchLoadTest {
  private static Progress.Ticks counting(AtomicInteger ticks) {
    return new Progress.Ticks() {
      @Override
      public void tick() {
        ticks.incrementAndGet();
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void theWorkIsDoneAsOftenAsWantedWhateverTheThreads() {
    for (int threads = 1; threads <= 5; threads++) {
      for (int times : new int[] {0, 1, 2, 7, 100}) {
        var done = new AtomicInteger();
        var ticks = new AtomicInteger();
        try (var load = new BenchLoad(done::incrementAndGet, threads, true, System::nanoTime)) {
          BenchTimes measured = load.run(times, 0, counting(ticks));
          assertThat(measured.runs()).isEqualTo(times);
          assertThat(measured.lines().lines()).hasSize(times + 1);
        }
        assertThat(List.of(done.get(), ticks.get())).containsOnly(times);
      }
    }
  }

  @Test
  void asManyRunAtATimeAsThereAreThreads() throws InterruptedException {
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    var together = new CountDownLatch(4);
    try (var load = new BenchLoad(() -> {
      seen.add(Thread.currentThread());
      together.countDown();
      awaitAll(together);
    }, 4, false, System::nanoTime)) {
      load.run(4, 0, counting(new AtomicInteger()));
      assertThat(seen).hasSize(4);
      load.run(50, 0, counting(new AtomicInteger()));
      assertThat(seen).as("the same threads again").hasSize(4);
    }
    for (Thread thread : seen) {
      thread.join();
    }
  }

  /** Runs begin in all threads until the duration is over, and those that have begun end. */
  @Test
  void allThreadsGoOnUntilTheDurationIsOver() {
    var clock = new ManualClock();
    var together = new CyclicBarrier(3, () -> clock.advance(Duration.ofSeconds(1)));
    try (var load = new BenchLoad(() -> await(together), 3, true, clock)) {
      BenchTimes measured = load.run(1, Duration.ofSeconds(4).toNanos(), counting(new AtomicInteger()));
      assertThat(measured.runs()).isEqualTo(4 * 3);
      assertThat(measured.elapsedNanos()).isEqualTo(Duration.ofSeconds(4).toNanos());
      assertThat(measured.lines().lines().skip(1)).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 3).boxed()
        .flatMap(
          thread -> LongStream.range(0, 4).mapToObj(at -> "%d,%d,1000000000".formatted(thread, at * 1_000_000_000)))
        .toList());
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitAll(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatTheWorkThrowsIsThrownAsItIsAndEndsTheOthers() {
    for (Throwable thrown : List.of(new IllegalArgumentException("bad"), new AssertionError("worse"))) {
      var done = new AtomicInteger();
      try (var load = new BenchLoad(() -> {
        if (done.incrementAndGet() == 10) {
          BenchLoadTest.<RuntimeException>raise(thrown);
        }
      }, 3, false, System::nanoTime)) {
        assertThatThrownBy(() -> load.run(Integer.MAX_VALUE, Long.MAX_VALUE / 2, counting(new AtomicInteger())))
          .isSameAs(thrown);
        assertThat(load.run(2, 0, counting(new AtomicInteger())).runs()).as("usable after it").isEqualTo(2);
      }
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void anInterruptEndsIt() {
    var isInterrupted = new AtomicBoolean();
    Thread tester = Thread.currentThread();
    try (var load = new BenchLoad(() -> {
      if (isInterrupted.compareAndSet(false, true)) {
        tester.interrupt();
      }
    }, 2, false, System::nanoTime)) {
      assertThatThrownBy(() -> load.run(Integer.MAX_VALUE, Long.MAX_VALUE / 2, counting(new AtomicInteger())))
        .isInstanceOf(IllegalStateException.class).hasMessageContaining("interrupted");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void timesOfSeveralThreadsAreOneHistogram() {
    var first = new BenchTimes.OfThread(0, true);
    var second = new BenchTimes.OfThread(1, true);
    for (int i = 1; i <= 100; i++) {
      (i % 2 == 0 ? first : second).add(5_000L + i * 2_000_000L, i * 1_000_000L);
    }
    BenchTimes times = BenchTimes.of(List.of(first, second));
    assertThat(times.runs()).isEqualTo(100);
    assertThat((double) times.medianNanos()).isBetween(50e6, 50.1e6);
    assertThat(times.elapsedNanos()).isEqualTo(100 * 2_000_000L + 100 * 1_000_000L - 2_000_000L);
    assertThat(times.runsPerSecond()).isEqualTo(100 / 0.298);
    assertThat(times.text(List.of(50.0, 99.0))).startsWith("p50 50.0").contains(", p99 99.0", "mean 50.5",
      "min 999.9 us", "max 100.01 ms");
    assertThat(times.lines().lines()).hasSize(101).contains("thread,startNanos,nanos", "1,0,1000000",
      "0,2000000,2000000", "0,198000000,100000000");
    var unkept = new BenchTimes.OfThread(2, false);
    unkept.add(7, 1000);
    assertThat(BenchTimes.of(List.of(unkept)).lines()).isEqualTo("thread,startNanos,nanos\n");
    assertThat(BenchTimes.of(List.of(unkept)).elapsedNanos()).isEqualTo(1000);
    BenchTimes none = BenchTimes.of(List.of(new BenchTimes.OfThread(0, true)));
    assertThat(none.runs() + none.elapsedNanos()).isZero();
    assertThat(none.runsPerSecond()).isZero();
    assertThat(none.lines()).isEqualTo("thread,startNanos,nanos\n");
  }
}
