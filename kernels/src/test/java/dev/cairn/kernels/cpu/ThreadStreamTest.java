package dev.cairn.kernels.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.GarbageMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is particular to a stream with a thread: it works later, and others wait for it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThreadStreamTest {
  /** Keeps a stream busy until released. */
  private static final class Gate implements Runnable {
    private final CountDownLatch open = new CountDownLatch(1);
    private final CountDownLatch reached = new CountDownLatch(1);

    @Override
    public void run() {
      reached.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void nothingIsPassedWhileWorkBeforeItIsUnderWay() throws Exception {
    try (var device = new CpuDevice(1)) {
      CpuStream busy = device.newStream("busy");
      CpuStream waiting = device.newStream("waiting");
      var gate = new Gate();
      busy.submit(gate);
      long mark = busy.record();
      waiting.waitFor(busy, mark);
      waiting.submit(() -> {});
      long after = waiting.record();
      gate.reached.await();
      assertThat(busy.hasPassed(mark)).isFalse();
      assertThat(waiting.hasPassed(after)).isFalse();
      gate.open.countDown();
      waiting.synchronize();
      assertThat(busy.hasPassed(mark)).isTrue();
    }
  }

  @Test
  void theCallersOwnStreamBlocksUntilTheMarkIsPassed() throws Exception {
    try (var device = new CpuDevice(1)) {
      CpuStream busy = device.newStream("busy");
      var gate = new Gate();
      int[] written = new int[1];
      busy.submit(gate);
      busy.submit(() -> written[0] = 3);
      long mark = busy.record();
      var opener = new Thread(gate.open::countDown);
      gate.reached.await();
      opener.start();
      device.defaultStream().waitFor(busy, mark);
      assertThat(written[0]).isEqualTo(3);
      opener.join();
    }
  }

  @Test
  void moreWorkThanTheRingHoldsWaitsForRoom() throws Exception {
    try (var device = new CpuDevice(1)) {
      CpuStream stream = device.newStream("full");
      var gate = new Gate();
      stream.submit(gate);
      gate.reached.await();
      var done = new AtomicInteger();
      var giver = new Thread(() -> {
        for (int i = 0; i < 3 * StreamRing.CAPACITY; i++) {
          stream.submit(done::incrementAndGet);
        }
        stream.synchronize();
      });
      giver.start();
      giver.join(30);
      assertThat(giver.isAlive()).isTrue();
      gate.open.countDown();
      giver.join();
      assertThat(done).hasValue(3 * StreamRing.CAPACITY);
    }
  }

  @Test
  void workBetweenAFailureAndItsReportIsDroppedAndMarksArePassed() {
    try (var device = new CpuDevice(1)) {
      CpuStream stream = device.newStream("failing");
      var done = new AtomicInteger();
      stream.submit(() -> {
        throw new OutOfMemoryError("on purpose");
      });
      stream.submit(done::incrementAndGet);
      device.defaultStream().waitFor(stream, stream.record());
      assertThat(done).hasValue(0);
      assertThatThrownBy(stream::synchronize).isInstanceOf(OutOfMemoryError.class);
      stream.submit(done::incrementAndGet);
      stream.synchronize();
      assertThat(done).hasValue(1);
    }
  }

  @Test
  void itsOwnWorkCannotDriveIt() {
    try (var device = new CpuDevice(1)) {
      CpuStream stream = device.newStream("own");
      for (Runnable misuse : List.<Runnable>of(() -> stream.submit(() -> {}), stream::record, stream::synchronize,
        stream::close)) {
        stream.submit(misuse);
        assertThatThrownBy(stream::synchronize).isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("stream=cairn-stream-own");
      }
    }
  }

  @Test
  void anInterruptDoesNotEndAWaitAndIsNotLost() throws Exception {
    try (var device = new CpuDevice(1)) {
      CpuStream stream = device.newStream("slow");
      var gate = new Gate();
      var done = new AtomicInteger();
      stream.submit(gate);
      stream.submit(done::incrementAndGet);
      var outcome = new AtomicReference<String>();
      CpuStream driver = stream;
      gate.reached.await();
      var waiter = new Thread(() -> {
        Thread.currentThread().interrupt();
        driver.synchronize();
        outcome.set(done + " " + Thread.currentThread().isInterrupted());
      });
      waiter.start();
      waiter.join(30);
      assertThat(waiter.isAlive()).isTrue();
      gate.open.countDown();
      waiter.join();
      assertThat(outcome).hasValue("1 true");
    }
  }

  @Test
  void threadsEndWithTheirStreamAndWithTheDevice() {
    for (int i = 0; i < 100; i++) {
      List<Thread> threads = new ArrayList<>();
      try (var device = new CpuDevice(1)) {
        CpuStream closed = device.newStream("closed");
        CpuStream left = device.newStream("left");
        closed.submit(() -> threads.add(Thread.currentThread()));
        closed.close();
        left.submit(() -> threads.add(Thread.currentThread()));
      }
      assertThat(threads).hasSize(2).noneMatch(Thread::isAlive);
    }
    var device = new CpuDevice(1);
    device.close();
    assertThatThrownBy(() -> device.newStream("late")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anInterruptThatWorkLeavesBehindReachesNoOtherWork() {
    try (var device = new CpuDevice(1)) {
      CpuStream stream = device.newStream("stream");
      List<Boolean> interrupted = new ArrayList<>();
      stream.submit(() -> Thread.currentThread().interrupt());
      stream.submit(() -> interrupted.add(Thread.currentThread().isInterrupted()));
      stream.synchronize();
      assertThat(interrupted).containsExactly(false);
    }
  }

  @Test
  void givingWorkMakesNoGarbage() {
    try (var device = new CpuDevice(1)) {
      CpuStream first = device.newStream("first");
      CpuStream second = device.newStream("second");
      Runnable work = () -> {};
      long bytes = GarbageMeter.leastBytes(() -> drive(first, second, work, 5_000));
      assertThat(bytes).as("bytes for 5,000 rounds").isLessThan(5_000);
    }
  }

  private static void drive(CpuStream first, CpuStream second, Runnable work, int rounds) {
    for (int i = 0; i < rounds; i++) {
      first.submit(work);
      second.waitFor(first, first.record());
      second.submit(work);
    }
    second.synchronize();
  }
}
