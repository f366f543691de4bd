package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.HandleAllocator;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls at the very end of a thread's stack: wherever in them it overflows, the lock is not held afterwards, and the
 * next call works, or says that the allocator was broken.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeepStackTest {
  private static final int DIVES = 300;
  private static final long STACK_BYTES = 256 << 10;

  private HandleAllocator allocator = newAllocator();

  private static HandleAllocator newAllocator() {
    return new BfcAllocator(FakeSubAllocator.scattered(1L << 40), BfcOptions.DEFAULT);
  }

  private static long padded(int frames, Runnable then) {
    if (frames == 0) {
      then.run();
      return 1;
    }
    return 1 + padded(frames - 1, then);
  }

  @SuppressWarnings("InfiniteRecursion") // that is what it is for
  private long dive(int kind) {
    switch (kind) {
      case 0 -> allocator.release(allocator.grant(1000));
      case 1 -> allocator.free(allocator.allocate(1000));
      default -> allocator.stats();
    }
    return 1 + dive(kind);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aStackThatEndsInsideACallLeavesNoLockHeld(int kind) throws InterruptedException {
    for (int dive = 0; dive < DIVES; dive++) {
      int frames = dive;
      AtomicReference<Throwable> end = new AtomicReference<>();
      Thread diver = new Thread(null, () -> {
        try {
          padded(frames, () -> dive(kind));
        } catch (Throwable e) {
          end.set(e);
        }
      }, "diver", STACK_BYTES);
      diver.start();
      diver.join();
      assertThat(end.get()).isNotNull();
      try {
        // Hangs if the lock is still held.
        allocator.stats();
        allocator.validate();
        assertThat(allocator.tryGrant(1000, 0)).isNotEqualTo(Block.NO_HANDLE);
      } catch (AssertionError broken) {
        assertThat(broken).hasMessageContainingAll("StackOverflowError", " broken");
        assertThatThrownBy(allocator::stats).as("told to each").isInstanceOf(AssertionError.class);
        allocator = newAllocator();
      }
    }
  }
}
