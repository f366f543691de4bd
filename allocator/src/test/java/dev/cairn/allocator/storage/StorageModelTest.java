package dev.cairn.allocator.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Random calls, compared with a {@link NaivePool} one by one: who serves, what is refused, every sum. */
class StorageModelTest {
  private static final long LIMIT_BYTES = 1L << 20;
  private static final int CALLS = 4000;
  private final SharedCounter counter = new SharedCounter();
  private final AtomicLong now = new AtomicLong();
  private final FakeSubAllocator source = FakeSubAllocator.scattered(Long.MAX_VALUE);

  /** A block and the model's word for its region. */
  private record Pair(Block block, NaivePool.Entry entry) {}

  private static StorageOptions options() {
    return StorageOptions.UNLIMITED.withLimitBytes(LIMIT_BYTES);
  }

  private static LongUnaryOperator steps(long step) {
    return bytes -> (bytes + step - 1) / step * step;
  }

  private static long naiveLength(long bytes) {
    return bytes < 4096 ? 4096 : steps(256).applyAsLong(bytes);
  }

  private static long powerLength(long bytes) {
    long length = 4096;
    while (length < bytes) {
      length *= 2;
    }
    return length;
  }

  @Test
  void theNaivePoolIsLikeTheModel() {
    compare(PooledStorageManager.byClock(source, Rounding.naive(), options(), now::get),
      new NaivePool(StorageModelTest::naiveLength, LIMIT_BYTES, true), 1);
  }

  @Test
  void theRoundPoolIsLikeTheModel() {
    compare(PooledStorageManager.byClock(source, Rounding.powerOfTwo(), options(), now::get),
      new NaivePool(StorageModelTest::powerLength, LIMIT_BYTES, true), 2);
  }

  @Test
  void thePoolOfMultiplesIsLikeTheModel() {
    compare(PooledStorageManager.byClock(source, Rounding.multipleOf(5120), options(), now::get),
      new NaivePool(steps(5120), LIMIT_BYTES, true), 3);
  }

  @Test
  void theReserveIsLikeASmallerLimit() {
    StorageOptions options = options().withLimitBytes(LIMIT_BYTES * 5 / 4).withReservePercent(20);
    compare(PooledStorageManager.byClock(source, Rounding.multipleOf(5120), options, now::get),
      new NaivePool(steps(5120), LIMIT_BYTES, true), 4);
  }

  @Test
  void theNaiveManagerIsLikeTheModel() {
    compare(new NaiveStorageManager(source, LIMIT_BYTES), new NaivePool(steps(256), LIMIT_BYTES, false), 5);
  }

  @Test
  void theUnpooledManagerIsLikeTheModel() {
    compare(new UnpooledStorageManager(source, Rounding.powerOfTwo(), options()),
      new NaivePool(StorageModelTest::powerLength, LIMIT_BYTES, false), 6);
  }

  @Test
  void theTimedPoolIsLikeTheModel() {
    compare(new PooledStorageManager(source, Rounding.powerOfTwo(), options(), AllocationListener.silent(), counter),
      new NaivePool(StorageModelTest::powerLength, LIMIT_BYTES, true), 7);
  }

  private void compare(RegionAllocator manager, NaivePool model, int seed) {
    Random random = new Random(seed);
    boolean timed = seed == 7;
    List<Pair> held = new ArrayList<>();
    int refusals = 0;
    for (int call = 0; call < CALLS; call++) {
      now.addAndGet(random.nextInt(10));
      int kind = random.nextInt(100);
      if (kind < 50) {
        refusals += allocate(manager, model, held, random, timed) ? 0 : 1;
      } else if (kind < 90 && !held.isEmpty()) {
        Pair pair = held.remove(random.nextInt(held.size()));
        manager.free(pair.block);
        model.free(pair.entry, timed ? counter.now() : 0, now.get());
      } else if (kind < 94 && !held.isEmpty()) {
        Pair pair = held.remove(random.nextInt(held.size()));
        manager.freeDirectly(pair.block);
        model.freeDirectly(pair.entry);
      } else if (kind < 97 && timed) {
        long time = 1 + random.nextLong(counter.now() + 1);
        ((PooledStorageManager) manager).passSafeFrontier(time);
        model.passed(time);
      } else if (kind == 99) {
        trim(manager, model, random, timed);
      }
      compareFigures(manager, model);
    }
    assertThat(refusals).isGreaterThan(CALLS / 100);
    held.forEach(pair -> manager.free(pair.block));
    manager.close();
    assertThat(source.heldBytes()).isZero();
  }

  private void trim(RegionAllocator manager, NaivePool model, Random random, boolean timed) {
    long keep = random.nextBoolean() ? 0 : random.nextLong(LIMIT_BYTES / 4);
    // The timed pool has the machine's clock.
    long idle = timed || random.nextBoolean() ? 0 : random.nextInt(1000);
    assertThat(manager.trim(new TrimPolicy(keep, Duration.ofNanos(idle)))).isEqualTo(model.trim(keep, idle, now.get()));
  }

  private boolean allocate(RegionAllocator manager, NaivePool model, List<Pair> held, Random random, boolean timed) {
    long bytes = 1 + random.nextLong(1L << (4 + random.nextInt(14)));
    long freedBefore = timed && random.nextBoolean() ? random.nextLong(counter.now() + 1) : 0;
    AllocationRequest request = AllocationRequest.of(bytes).withFreedBefore(freedBefore);
    long expected = model.allocate(bytes, freedBefore);
    Block block;
    try {
      block = manager.allocate(request);
    } catch (OutOfMemory refusal) {
      assertThat(expected).isEqualTo(NaivePool.REFUSED);
      return false;
    }
    if (expected == NaivePool.NEW) {
      assertThat(model.idle).noneMatch(entry -> entry.regionAddress == block.address());
      model.taken(block.address(), block.bytes());
    } else {
      assertThat(block.address()).isEqualTo(expected);
    }
    assertThat(block.bytes()).isEqualTo(model.held.getLast().bytes);
    held.add(new Pair(block, model.held.getLast()));
    return true;
  }

  private void compareFigures(RegionAllocator manager, NaivePool model) {
    manager.validate();
    AllocatorStats stats = manager.stats();
    assertThat(stats.poolBytes()).isEqualTo(model.poolBytes()).isEqualTo(source.heldBytes());
    assertThat(stats.bytesInUse()).isEqualTo(NaivePool.sum(model.held));
    assertThat(stats.liveCount()).isEqualTo(model.held.size());
    assertThat(stats.regions().current()).isEqualTo(model.held.size() + model.idle.size());
    assertThat(stats.largestFreeBytes()).isEqualTo(model.largestIdle());
    assertThat(stats.timeHeldBytes()).isEqualTo(model.idle.stream().filter(entry -> entry.freedAt > 0)
      .mapToLong(entry -> entry.bytes).sum());
  }
}
