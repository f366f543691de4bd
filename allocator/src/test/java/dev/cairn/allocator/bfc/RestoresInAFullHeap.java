package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A program that fills the Java heap but for some bytes, more each time, and then puts a pool back to a checkpoint:
 * either all of it is put back, or nothing was changed.
 */
final class RestoresInAFullHeap {
  private static final int ROUNDS = 24;
  private static final int STEP_BYTES = 12 << 10;

  private final SharedCounter clock = new SharedCounter();
  private final PrivatePool pool;
  private final Random random = new Random(1);
  private final List<Long> held = new ArrayList<>();
  /** Arrays, each with the one before. */
  private Object @Nullable [] filler;
  private int failures;
  private int successes;
  private int torn;

  private RestoresInAFullHeap(boolean contiguous) {
    pool = new PrivatePool(
      contiguous ? FakeSubAllocator.contiguous(1L << 40) : FakeSubAllocator.scattered(1L << 40),
      BfcOptions.DEFAULT.withFirstRegionBytes(1 << 20).withGrowth(BfcOptions.Growth.AS_REQUESTED).withClock(clock));
  }

  /** Takes all but {@code roomBytes}. */
  private void fill(int roomBytes) {
    byte[] room = new byte[roomBytes];
    for (int bytes = 1 << 20; bytes >= 16; bytes /= 16) {
      try {
        while (true) {
          Object[] longer = {filler, new byte[bytes]};
          filler = longer;
        }
      } catch (OutOfMemoryError full) {
        // Smaller ones may fit.
      }
    }
    if (room.length != roomBytes) {
      throw new AssertionError("the room is kept up to here");
    }
  }

  private void run() {
    churn(3000);
    for (int round = 0; round < ROUNDS; round++) {
      try (Checkpoint checkpoint = pool.checkpoint()) {
        List<Long> then = new ArrayList<>(held);
        AllocatorStats was = pool.allocator().stats();
        churn(500);
        attempt(checkpoint, round * STEP_BYTES, was, then);
      }
    }
    if (failures < ROUNDS / 8 || successes < ROUNDS / 8) {
      throw new AssertionError("failures=%d successes=%d torn=%d".formatted(failures, successes, torn));
    }
  }

  private void attempt(Checkpoint checkpoint, int roomBytes, AllocatorStats was, List<Long> then) {
    AllocatorStats before = pool.allocator().stats();
    fill(roomBytes);
    boolean restored = false;
    try {
      pool.restore(checkpoint);
      restored = true;
    } catch (OutOfMemoryError full) {
      failures++;
    } catch (IllegalStateException noCopies) {
      torn++;
    } finally {
      filler = null;
    }
    pool.allocator().validate();
    AllocatorStats expected = restored ? was : before;
    if (pool.allocator().stats().bytesInUse() != expected.bytesInUse()
      || pool.allocator().stats().liveCount() != expected.liveCount()) {
      throw new AssertionError("restored=%b expected %s but is %s".formatted(restored, expected,
        pool.allocator().stats()));
    }
    if (restored) {
      successes++;
      held.clear();
      held.addAll(then);
    }
  }

  private void churn(int calls) {
    for (int call = 0; call < calls; call++) {
      if (held.isEmpty() || random.nextInt(100) < 55) {
        held.add(pool.allocator().grant(1 + random.nextInt(1 << random.nextInt(18))));
      } else {
        pool.allocator().release(held.remove(random.nextInt(held.size())));
      }
      if (call % 100 == 0) {
        pool.allocator().setSafeFrontier(clock.now() - 1500);
      }
    }
  }

  public static void main(String[] arguments) {
    new RestoresInAFullHeap(true).run();
    new RestoresInAFullHeap(false).run();
    System.out.println("whole after each");
  }
}
