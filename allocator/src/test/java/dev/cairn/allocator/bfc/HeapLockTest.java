package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread that waits for the lock gets it, although another thread takes it again as soon as it has left it. */
class HeapLockTest {
  private static final int OPERATIONS = 1000;

  /** One thread does so many operations while the other never pauses, then the other way round. */
  private static void inTurn(Runnable operation) throws Exception {
    for (int first = 0; first < 2; first++) {
      int counting = first;
      AtomicBoolean done = new AtomicBoolean();
      Threads.run(2, thread -> {
        for (int i = 0; thread == counting ? i < OPERATIONS : !done.get(); i++) {
          operation.run();
        }
        done.set(true);
      });
    }
  }

  @Test
  void eachOfTwoFinishesWhileTheOtherNeverPauses() throws Exception {
    HeapLock lock = new HeapLock();
    inTurn(() -> {
      lock.lock();
      lock.unlock();
    });
  }

  @Test
  void eachOfTwoIsServedByOneAllocatorWhileTheOtherNeverPauses() throws Exception {
    try (BfcAllocator allocator = new BfcAllocator(FakeSubAllocator.contiguous(1 << 30), BfcOptions.DEFAULT)) {
      inTurn(() -> allocator.release(allocator.grant(1000)));
      assertThat(allocator.stats().liveCount()).isZero();
    }
  }

  @Test
  void oneThreadAtATimeIsInside() throws Exception {
    HeapLock lock = new HeapLock();
    long[] count = new long[1];
    Threads.run(4, _ -> {
      for (int i = 0; i < 20_000; i++) {
        lock.lock();
        count[0]++;
        lock.unlock();
      }
    });
    lock.lock();
    assertThat(count[0]).isEqualTo(80_000);
    lock.unlock();
  }

  /** All threads sleep before the holder leaves. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16})
  void allThreadsThatSleepGetTheLockFromALongHolder(int threads) throws Exception {
    CountDownLatch asleep = new CountDownLatch(threads);
    ThreadLocal<Boolean> isCounted = ThreadLocal.withInitial(() -> false);
    HeapLock lock = new HeapLock(() -> {
      if (!isCounted.get()) {
        isCounted.set(true);
        asleep.countDown();
      }
      Thread.yield();
    });
    int[] inside = new int[1];
    long[] done = new long[1];
    lock.lock();
    try (var workers = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(workers.submit(() -> held(lock, inside, done, false)));
      }
      asleep.await();
      lock.unlock();
      for (Future<?> one : all) {
        one.get();
      }
    }
    lock.lock();
    assertThat(done[0]).isEqualTo(threads);
    lock.unlock();
  }

  /** Holders that throw, and that are interrupted while they wait. */
  @ParameterizedTest
  @ValueSource(ints = {2, 16})
  void noThreadIsLostAmongTheThrowingAndTheInterrupted(int threads) throws Exception {
    HeapLock lock = new HeapLock();
    int[] inside = new int[1];
    long[] done = new long[1];
    Threads.run(threads, thread -> {
      Random random = new Random(thread);
      for (int i = 0; i < 100; i++) {
        boolean throwing = random.nextInt(3) == 0;
        if (random.nextInt(4) == 0) {
          Thread.currentThread().interrupt();
        }
        boolean interrupted = Thread.currentThread().isInterrupted();
        try {
          held(lock, inside, done, throwing);
          assertThat(throwing).isFalse();
        } catch (Mischief.OnPurpose e) {
          assertThat(throwing).isTrue();
        }
        assertThat(Thread.interrupted()).isEqualTo(interrupted);
      }
    });
    lock.lock();
    assertThat(done[0]).isEqualTo(threads * 100L);
    lock.unlock();
  }

  private static long held(HeapLock lock, int[] inside, long[] done, boolean throwing) {
    lock.lock();
    try {
      assertThat(++inside[0]).isEqualTo(1);
      inside[0]--;
      done[0]++;
      if (throwing) {
        throw new Mischief.OnPurpose();
      }
      return done[0];
    } finally {
      lock.unlock();
    }
  }

  @Test
  void whoHasItIsToldThatItCameBackAndStillHasIt() throws Exception {
    HeapLock lock = new HeapLock();
    lock.lock();
    assertThatIllegalStateException().isThrownBy(lock::lock).withMessageContaining("reentrant call");
    lock.unlock();
    Threads.run(1, _ -> {
      lock.lock();
      lock.unlock();
    });
  }

  /** With its flag set a thread can't sleep: if it kept the flag, it would burn a processor until the lock is free. */
  @Test
  void anInterruptedThreadSleepsUntilItHasTheLockAndIsStillInterruptedThen() throws Exception {
    List<Boolean> interruptedAsleep = Collections.synchronizedList(new ArrayList<>());
    Semaphore slept = new Semaphore(0);
    HeapLock lock = new HeapLock(() -> {
      interruptedAsleep.add(Thread.currentThread().isInterrupted());
      // An interrupt that comes while the thread sleeps.
      Thread.currentThread().interrupt();
      slept.release();
      Thread.yield();
    });
    AtomicBoolean interruptedInside = new AtomicBoolean();
    AtomicBoolean interruptedAfter = new AtomicBoolean();
    lock.lock();
    Thread waiter = new Thread(() -> {
      Thread.currentThread().interrupt();
      lock.lock();
      interruptedInside.set(Thread.currentThread().isInterrupted());
      lock.unlock();
      interruptedAfter.set(Thread.interrupted());
    }, "waiter");
    waiter.start();
    slept.acquire(3);
    lock.unlock();
    waiter.join();
    assertThat(interruptedAsleep).containsOnly(false);
    assertThat(interruptedInside).isTrue();
    assertThat(interruptedAfter).isTrue();
  }

  @Test
  void whatIsThrownInsideLeavesTheLockFree() throws Exception {
    var source = new ThrowingSource();
    var allocator = new BfcAllocator(source, BfcOptions.DEFAULT);
    var request = AllocationRequest.of(1000, Owner.of("a", "b"));
    for (Throwable thrown : List.of(new Mischief.OnPurpose(), new StackOverflowError())) {
      source.thrown = thrown;
      assertLeavesTheLockFree(allocator, () -> allocator.allocate(request));
      assertLeavesTheLockFree(allocator, () -> allocator.reserve(request));
      assertLeavesTheLockFree(allocator, () -> allocator.tryGrant(1000));
    }
    assertLeavesTheLockFree(allocator, () -> allocator.tryGrant(-1));
    assertLeavesTheLockFree(allocator, () -> allocator.release(7));
    assertLeavesTheLockFree(allocator, () -> allocator.addressOf(7));
    assertLeavesTheLockFree(allocator, () -> allocator.blockOf(7));
    allocator.close();
    assertLeavesTheLockFree(allocator, allocator::close);
    assertLeavesTheLockFree(allocator, () -> allocator.trim(TrimPolicy.EVERYTHING));
    assertLeavesTheLockFree(allocator, () -> allocator.allocate(request));
    assertLeavesTheLockFree(allocator, () -> allocator.reserve(request));
  }

  private static void assertLeavesTheLockFree(BfcAllocator allocator, ThrowingCallable operation) throws Exception {
    assertThatThrownBy(operation).isNotInstanceOf(OutOfMemory.class);
    Threads.run(1, _ -> assertThat(allocator.stats().liveCount()).isZero());
  }

  /** A source that throws. */
  private static final class ThrowingSource implements SubAllocator {
    private Throwable thrown = new Mischief.OnPurpose();

    @Override
    public MemorySpace space() {
      return MemorySpace.HOST;
    }

    @Override
    public long maximumRegionBytes() {
      return 1 << 30;
    }

    @Override
    public boolean supportsCoalescing() {
      return false;
    }

    @Override
    public @Nullable Region allocate(long bytes) {
      switch (thrown) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new AssertionError(thrown);
      }
    }

    @Override
    public void release(Region region) {}
  }
}
