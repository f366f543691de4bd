package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivatePoolTest {
  private static final BfcOptions OPTIONS = BfcOptions.DEFAULT.withFirstRegionBytes(64 << 10);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatWasHeldIsHeldAgainAfterAnySequence(long seed) {
    Random random = new Random(seed);
    SubAllocator source = seed % 2 == 0 ? FakeSubAllocator.scattered(1L << 40) : FakeSubAllocator.contiguous(1L << 40);
    PrivatePool pool = new PrivatePool(source, OPTIONS);
    BfcAllocator allocator = pool.allocator();
    List<Long> held = new ArrayList<>();
    churn(allocator, held, random, 500);
    try (Checkpoint checkpoint = pool.checkpoint()) {
      MemoryMap then = allocator.memoryMap();
      Map<Long, Long> addresses = new HashMap<>();
      held.forEach(handle -> addresses.put(handle, allocator.addressOf(handle)));
      for (int round = 0; round < 5; round++) {
        List<Long> later = new ArrayList<>(held);
        churn(allocator, later, random, 500);
        pool.restore(checkpoint);
        allocator.validate();
        assertThat(inUse(allocator.memoryMap())).isEqualTo(inUse(then));
        held.forEach(handle -> assertThat(allocator.addressOf(handle)).isEqualTo(addresses.get(handle)));
        later.stream().filter(handle -> !addresses.containsKey(handle)).limit(20)
          .forEach(gone -> assertThatIllegalArgumentException().isThrownBy(() -> allocator.release(gone)));
      }
      assertThat(allocator.stats().bytesInUse()).isEqualTo(then.stats().bytesInUse());
    }
    churn(allocator, held, random, 500);
    allocator.validate();
    held.forEach(allocator::release);
    pool.close();
  }

  /** More free chunks of one size than the first few of its class: both parts are there again. */
  @Test
  void manyFreeChunksOfOneSizeAreHandedOutInTheSameOrderAgain() {
    PrivatePool pool = new PrivatePool(FakeSubAllocator.scattered(1L << 40), OPTIONS);
    BfcAllocator allocator = pool.allocator();
    List<Long> held = new ArrayList<>();
    List<Long> between = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      held.add(allocator.grant(256));
      between.add(allocator.grant(256));
    }
    between.forEach(allocator::release);
    try (Checkpoint checkpoint = pool.checkpoint()) {
      assertThat(allocator.heap.bins.root(SizeClasses.of(256))).isNotEqualTo(ChunkTable.NONE);
      List<Long> order = addressesOf(allocator, 60);
      for (int round = 0; round < 3; round++) {
        pool.restore(checkpoint);
        allocator.validate();
        assertThat(addressesOf(allocator, 60)).isEqualTo(order);
      }
      pool.restore(checkpoint);
    }
    held.forEach(allocator::release);
    pool.close();
  }

  private static List<Long> addressesOf(BfcAllocator allocator, int grants) {
    return LongStream.range(0, grants).map(_ -> allocator.addressOf(allocator.grant(256))).boxed().toList();
  }

  private static void churn(BfcAllocator allocator, List<Long> held, Random random, int calls) {
    for (int call = 0; call < calls; call++) {
      if (held.isEmpty() || random.nextInt(100) < 55) {
        held.add(allocator.grant(1 + random.nextInt(1 << random.nextInt(20))));
      } else {
        allocator.release(held.remove(random.nextInt(held.size())));
      }
    }
  }

  private static List<MemoryMap.ChunkEntry> inUse(MemoryMap map) {
    return map.chunks().filter(MemoryMap.ChunkEntry::inUse).toList();
  }

  @Test
  void aRegionGivenBackSinceMakesItImpossibleAndChangesNothing() {
    PrivatePool pool = new PrivatePool(FakeSubAllocator.scattered(1L << 40), OPTIONS);
    BfcAllocator allocator = pool.allocator();
    long handle = allocator.grant(1000);
    Checkpoint checkpoint = pool.checkpoint();
    allocator.release(handle);
    allocator.trim();
    long other = allocator.grant(1000);
    AllocatorStats before = allocator.stats();
    assertThatIllegalStateException().isThrownBy(() -> pool.restore(checkpoint)).withMessageContaining("given back");
    assertThat(allocator.stats()).isEqualTo(before);
    allocator.validate();
    checkpoint.close();
    assertThatIllegalStateException().isThrownBy(checkpoint::close);
    assertThatIllegalStateException().isThrownBy(() -> pool.restore(checkpoint));
    allocator.release(other);
    pool.close();
  }

  /** Two regions, idle one after the other, in either order: the longer idle one goes first, restored or not. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRestoredRegionIsIdleSinceItWasIdle(boolean firstIsIdleFirst) {
    PrivatePool pool = new PrivatePool(FakeSubAllocator.scattered(1L << 40),
      OPTIONS.withGrowth(BfcOptions.Growth.AS_REQUESTED));
    BfcAllocator allocator = pool.allocator();
    long one = allocator.grant(1 << 20);
    long other = allocator.grant(1 << 20);
    long idleFirst = allocator.addressOf(firstIsIdleFirst ? one : other);
    long idleLast = allocator.addressOf(firstIsIdleFirst ? other : one);
    allocator.release(firstIsIdleFirst ? one : other);
    allocator.release(firstIsIdleFirst ? other : one);
    try (Checkpoint checkpoint = pool.checkpoint()) {
      // Their turns change, if nothing is put back.
      long lower = allocator.grant(1 << 20);
      long upper = allocator.grant(1 << 20);
      boolean lowerGoesFirst = allocator.addressOf(lower) == idleLast;
      allocator.release(lowerGoesFirst ? lower : upper);
      allocator.release(lowerGoesFirst ? upper : lower);
      pool.restore(checkpoint);
      allocator.trim(new TrimPolicy(1 << 20, Duration.ZERO));
    }
    assertThat(allocator.memoryMap().regions()).singleElement().satisfies(region -> assertThat(region.address())
      .isEqualTo(idleLast).isNotEqualTo(idleFirst));
    pool.close();
  }

  @Test
  void anotherPoolsCheckpointIsRefused() {
    PrivatePool one = new PrivatePool(FakeSubAllocator.scattered(1L << 40), OPTIONS);
    PrivatePool other = new PrivatePool(FakeSubAllocator.scattered(1L << 40), OPTIONS);
    Checkpoint checkpoint = one.checkpoint();
    assertThatIllegalArgumentException().isThrownBy(() -> other.restore(checkpoint));
    checkpoint.close();
    one.close();
    other.close();
  }
}
