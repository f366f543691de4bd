package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for the lock gets it, although another thread takes it again as soon as it has left it. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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
    assertThat(lock.with(() -> count[0])).isEqualTo(80_000);
  }
}
