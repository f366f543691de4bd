package dev.cairn.allocator.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads at once: no address is held twice, and nothing is left in the end. */
class StorageThreadsTest {
  private static final int THREADS = 6;
  private final FakeSubAllocator source = FakeSubAllocator.scattered(1L << 30);

  private RegionAllocator manager(String kind) {
    StorageOptions options = StorageOptions.UNLIMITED.withLimitBytes(2 << 20);
    return switch (kind) {
      case "naive" -> new NaiveStorageManager(source, options.limitBytes());
      case "unpooled" -> new UnpooledStorageManager(source, Rounding.powerOfTwo(), options);
      default -> new PooledStorageManager(source, Rounding.powerOfTwo(), options);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"naive", "unpooled", "pooled"})
  void noAddressIsHeldTwice(String kind) throws Exception {
    RegionAllocator manager = manager(kind);
    Map<Long, Block> held = new ConcurrentHashMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int seed = 0; seed < THREADS; seed++) {
        Random random = new Random(seed);
        tasks.add(() -> churn(manager, held, random));
      }
      long granted = 0;
      for (Future<Long> future : threads.invokeAll(tasks)) {
        granted += future.get();
      }
      assertThat(manager.stats().allocationCount()).isEqualTo(granted);
    }
    manager.validate();
    assertThat(manager.stats().liveCount()).isZero();
    manager.close();
    assertThat(source.heldBytes()).isZero();
  }

  private static long churn(RegionAllocator manager, Map<Long, Block> held, Random random) {
    List<Block> own = new ArrayList<>();
    long granted = 0;
    for (int i = 0; i < 3000; i++) {
      if (own.size() < 12 && random.nextBoolean()) {
        granted += taken(manager, held, own, 1 + random.nextInt(60_000)) ? 1 : 0;
      } else if (!own.isEmpty()) {
        Block block = own.remove(random.nextInt(own.size()));
        held.remove(block.address());
        if (i % 7 == 0) {
          manager.freeDirectly(block);
        } else {
          manager.free(block);
        }
      } else {
        manager.trim();
      }
    }
    for (Block block : own) {
      held.remove(block.address());
      manager.free(block);
    }
    return granted;
  }

  private static boolean taken(Allocator manager, Map<Long, Block> held, List<Block> own, long bytes) {
    try {
      Block block = manager.allocate(bytes);
      assertThat(held.put(block.address(), block)).isNull();
      own.add(block);
      return true;
    } catch (OutOfMemory full) {
      return false;
    }
  }
}
