package dev.cairn.kernels.cpu.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.device.Rethrown;
import dev.cairn.testing.GarbageMeter;
import dev.cairn.testing.Gate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What is particular to a stream with a thread: it works later, and others wait for it. */
class ThreadStreamTest {
  @Test
  void nothingIsPassedWhileWorkBeforeItIsUnderWay() throws Exception {
    try (var device = new CpuDevice(1)) {
      CpuStream busy = device.newStream("busy");
      CpuStream waiting = device.newStream("waiting");
      var gate = new Gate();
      busy.submit(gate::pass);
      long mark = busy.record();
      waiting.waitFor(busy, mark);
      waiting.submit(() -> {});
      long after = waiting.record();
      gate.awaitArrival();
      assertThat(busy.hasPassed(mark)).isFalse();
      assertThat(waiting.hasPassed(after)).isFalse();
      gate.open();
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
      busy.submit(gate::pass);
      busy.submit(() -> written[0] = 3);
      long mark = busy.record();
      var opener = new Thread(gate::open);
      gate.awaitArrival();
      opener.start();
      device.defaultStream().waitFor(busy, mark);
      assertThat(written[0]).isEqualTo(3);
      opener.join();
    }
  }

  @Test
  void moreWorkThanTheRingHoldsIsDone() throws Exception {
    try (var device = new CpuDevice(1)) {
      CpuStream stream = device.newStream("full");
      var gate = new Gate();
      stream.submit(gate::pass);
      gate.awaitArrival();
      var done = new AtomicInteger();
      var giver = new Thread(() -> {
        for (int i = 0; i < 3 * StreamRing.CAPACITY; i++) {
          stream.submit(done::incrementAndGet);
        }
        stream.synchronize();
      });
      giver.start();
      gate.open();
      giver.join();
      assertThat(done).hasValue(3 * StreamRing.CAPACITY);
    }
  }

  @Test
  void aFullRingTakesNothingUntilThereIsRoom() throws Exception {
    var pauses = new Semaphore(0);
    var ring = new StreamRing(pauses::release);
    Thread taker = Thread.currentThread();
    for (int i = 0; i < StreamRing.CAPACITY; i++) {
      ring.put(i, i, taker);
    }
    var giver = new Thread(() -> ring.put(StreamRing.CAPACITY, StreamRing.CAPACITY, taker));
    giver.start();
    pauses.acquire(2);
    assertThat(ring.take()).isEqualTo(0);
    giver.join();
    for (int i = 1; i <= StreamRing.CAPACITY; i++) {
      assertThat(ring.awaitNext()).isTrue();
      assertThat(ring.number()).isEqualTo(i);
      assertThat(ring.take()).isEqualTo(i);
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
    var sleeps = new Semaphore(0);
    var marks = new PassedMarks(sleeps::release);
    var outcome = new AtomicReference<String>();
    var waiter = new Thread(() -> {
      Thread.currentThread().interrupt();
      marks.await(1);
      outcome.set(marks.has(1) + " " + Thread.currentThread().isInterrupted());
    });
    waiter.start();
    // The first sleep ends by the interrupt, and the second one does not.
    sleeps.acquire(2);
    assertThat(outcome.get()).isNull();
    marks.pass(1);
    waiter.join();
    assertThat(outcome).hasValue("true true");
  }

  @Test
  void anInterruptedThreadIsStillInterruptedAfterItHasSynchronized() {
    try (var device = new CpuDevice(1)) {
      CpuStream stream = device.newStream("slow");
      var done = new AtomicInteger();
      stream.submit(done::incrementAndGet);
      Thread.currentThread().interrupt();
      stream.synchronize();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(done).hasValue(1);
    }
  }

  /** Kotlin and Scala throw checked exceptions that Java does not see. */
  @Test
  void aCheckedExceptionOfWorkIsThrownAndTheStreamGoesOn() {
    try (var device = new CpuDevice(1)) {
      CpuStream stream = device.newStream("failing");
      stream.submit(() -> {
        throw Rethrown.asItIs(new IOException("on purpose"));
      });
      assertThatThrownBy(stream::synchronize).isInstanceOf(IOException.class).hasMessage("on purpose");
      var done = new AtomicInteger();
      stream.submit(done::incrementAndGet);
      stream.synchronize();
      assertThat(done).hasValue(1);
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
