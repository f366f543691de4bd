package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.BlockMover;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.bfc.BfcOptions.Collection;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What compaction moves, with the contents of every block compared with what was written. */
class CompactionTest {
  private static final long KIB = 1024;
  private static final BfcOptions OPTIONS = BfcOptions.DEFAULT.withSplit(SplitPolicy.exact()).withGrowth(
    Growth.AS_REQUESTED).withLimitBytes(16 * KIB).withCollection(Collection.COMPACT);
  private static final BfcOptions ONE_REGION = OPTIONS.withGrowth(Growth.WHOLE);

  /** Owns all blocks by their ids, and copies them as the host does. */
  private static final class Holder implements BlockMover {
    final Map<Long, Block> blocks = new HashMap<>();
    final Set<Long> pinned = new HashSet<>();
    /** How many more copies succeed. */
    int copies = Integer.MAX_VALUE;

    Block hold(Block block) {
      blocks.put(block.allocationId(), block);
      fill(block);
      return block;
    }

    private static void fill(Block block) {
      MemorySegment segment = block.segment();
      for (long at = 0; at < segment.byteSize(); at++) {
        segment.set(ValueLayout.JAVA_BYTE, at, (byte) (31 * block.allocationId() + at * at));
      }
    }

    void requireContents() {
      for (Block block : blocks.values()) {
        MemorySegment segment = block.segment();
        for (long at = 0; at < segment.byteSize(); at++) {
          if (segment.get(ValueLayout.JAVA_BYTE, at) != (byte) (31 * block.allocationId() + at * at)) {
            throw new AssertionError("contents differ: at=%d %s".formatted(at, block));
          }
        }
      }
    }

    /** The block where it is now. */
    Block now(Block block) {
      return Objects.requireNonNull(blocks.get(block.allocationId()));
    }

    void free(BfcAllocator allocator, Block block) {
      allocator.free(now(block));
      blocks.remove(block.allocationId());
    }

    @Override
    public boolean isMovable(long allocationId) {
      return blocks.containsKey(allocationId) && !pinned.contains(allocationId);
    }

    @Override
    public boolean move(Block to) {
      if (copies-- == 0) {
        throw new UnsupportedOperationException("on purpose");
      }
      to.segment().copyFrom(now(to).segment());
      blocks.put(to.allocationId(), to);
      return true;
    }
  }

  /** The source, the allocator and the holder of its blocks; checks all of them when it closes. */
  private static final class Pool implements AutoCloseable {
    final Holder holder = new Holder();
    final BfcAllocator allocator;

    Pool(BfcOptions options, AllocationListener listener) {
      allocator = new BfcAllocator(new NettySubAllocator(), options, listener, holder);
    }

    Pool(BfcOptions options) {
      this(options, AllocationListener.silent());
    }

    Block hold(long bytes) {
      return holder.hold(allocator.allocate(bytes));
    }

    void free(Block block) {
      holder.free(allocator, block);
    }

    void check() {
      allocator.validate();
      holder.requireContents();
    }

    @Override
    public void close() {
      check();
      List.copyOf(holder.blocks.values()).forEach(this::free);
      allocator.close();
    }
  }

  @Test
  void aRefusalForFragmentationBecomesAGrant() {
    for (Collection collection : new Collection[] {Collection.BEFORE_GROWTH, Collection.COMPACT}) {
      try (var pool = new Pool(ONE_REGION.withCollection(collection))) {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
          blocks.add(pool.hold(KIB));
        }
        for (int i = 0; i < 16; i += 2) {
          pool.free(blocks.get(i));
        }
        if (collection == Collection.BEFORE_GROWTH) {
          assertThatThrownBy(() -> pool.hold(8 * KIB)).isInstanceOf(OutOfMemory.class);
          continue;
        }
        pool.hold(8 * KIB);
        assertThat(pool.allocator.stats().movedBytes()).isEqualTo(8 * KIB);
        assertThat(pool.allocator.stats().freeBytes()).isZero();
        assertThat(pool.allocator.stats().refusalCount()).isZero();
      }
    }
  }

  @Test
  void aRequestByHandleAndAReservedBlockAreGrantedToo() {
    try (var pool = new Pool(ONE_REGION)) {
      Block first = pool.hold(5 * KIB);
      pool.hold(KIB);
      Block third = pool.hold(5 * KIB);
      pool.hold(5 * KIB);
      pool.free(first);
      pool.free(third);
      long handle = pool.allocator.grant(10 * KIB);
      pool.check();
      pool.allocator.release(handle);
    }
    try (var pool = new Pool(OPTIONS)) {
      List<Block> small = twoHalfUsedRegions(pool);
      Block reserved = pool.allocator.reserve(AllocationRequest.of(8 * KIB));
      pool.check();
      assertThat(pool.allocator.stats().movedBytes()).isEqualTo(4 * KIB);
      assertThat(pool.allocator.stats().poolBytes()).isEqualTo(16 * KIB);
      pool.allocator.free(reserved);
      small.forEach(pool::free);
    }
  }

  /** Two regions of 8 KiB, each half in use. */
  private static List<Block> twoHalfUsedRegions(Pool pool) {
    List<Block> small = new ArrayList<>();
    Block left = pool.hold(8 * KIB);
    Block right = pool.hold(8 * KIB);
    pool.free(left);
    pool.free(right);
    // Two idle regions, of which each serves a request of more than half.
    left = pool.hold(5 * KIB);
    right = pool.hold(5 * KIB);
    small.add(pool.hold(3 * KIB));
    small.add(pool.hold(3 * KIB));
    pool.free(left);
    pool.free(right);
    small.add(pool.hold(KIB));
    Block filler = pool.hold(4 * KIB);
    small.add(pool.hold(KIB));
    pool.free(filler);
    assertThat(pool.allocator.stats().regions().current()).isEqualTo(2);
    assertThat(pool.allocator.stats().bytesInUse()).isEqualTo(8 * KIB);
    return small;
  }

  @Test
  void regionsThatAreEmptiedGoBackToTheSource() {
    try (var pool = new Pool(OPTIONS)) {
      List<Block> small = twoHalfUsedRegions(pool);
      assertThat(pool.allocator.compact()).isEqualTo(4 * KIB);
      pool.check();
      assertThat(pool.allocator.stats().poolBytes()).isEqualTo(8 * KIB);
      assertThat(pool.allocator.compact()).as("nothing is left to do").isZero();
      small.forEach(pool::free);
    }
  }

  @Test
  void theHandleStaysAndTheOldBlockIsKnownForWhatItIs() {
    var events = new ArrayList<String>();
    var listener = new AllocationListener() {
      @Override
      public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
        events.add("granted %d %d %s".formatted(allocationId, requestedBytes, owner.label()));
      }

      @Override
      public void freed(long allocationId, long address, long bytes) {
        events.add("freed %d".formatted(allocationId));
      }
    };
    try (var pool = new Pool(ONE_REGION, listener)) {
      Block gone = pool.hold(KIB);
      Block block = pool.holder.hold(pool.allocator.allocate(2 * KIB - 10, "mine"));
      Block further = pool.hold(KIB);
      pool.hold(KIB);
      pool.free(gone);
      pool.free(further);
      events.clear();
      assertThat(pool.allocator.compact()).isEqualTo(3 * KIB - 10);
      Block moved = pool.holder.now(block);
      assertThat(moved.address()).isEqualTo(gone.address());
      assertThat(pool.allocator.addressOf(block.handle())).isEqualTo(moved.address());
      assertThat(pool.allocator.blockOf(block.handle())).isEqualTo(moved);
      assertThatIllegalArgumentException().isThrownBy(() -> pool.allocator.free(block)).withMessageContaining(
        "has moved");
      assertThat(events).containsExactly("freed 1", "granted 1 2038 mine", "freed 3", "granted 3 1024 (no owner)");
    }
  }

  @Test
  void pinnedBlocksStay() {
    try (var pool = new Pool(ONE_REGION)) {
      Block first = pool.hold(2 * KIB);
      Block pinned = pool.hold(KIB);
      Block third = pool.hold(2 * KIB);
      Block last = pool.hold(11 * KIB);
      pool.free(first);
      pool.free(third);
      pool.holder.pinned.add(pinned.allocationId());
      assertThatThrownBy(() -> pool.hold(4 * KIB)).isInstanceOf(OutOfMemory.class);
      assertThat(pool.holder.now(pinned)).isEqualTo(pinned);
      assertThat(pool.holder.now(last).address()).isEqualTo(third.address());
      pool.holder.pinned.clear();
      pool.hold(4 * KIB);
    }
  }

  @Test
  void aRegionWithAPinnedBlockIsNotEmptied() {
    try (var pool = new Pool(OPTIONS)) {
      List<Block> small = twoHalfUsedRegions(pool);
      small.forEach(it -> pool.holder.pinned.add(it.allocationId()));
      assertThat(pool.allocator.compact()).isZero();
      assertThat(pool.allocator.stats().poolBytes()).isEqualTo(16 * KIB);
      pool.holder.pinned.clear();
      small.forEach(pool::free);
    }
  }

  @Test
  void nothingMovesForARequestThatCannotFit() {
    try (var pool = new Pool(ONE_REGION)) {
      Block first = pool.hold(KIB);
      pool.hold(KIB);
      Block third = pool.hold(KIB);
      pool.hold(13 * KIB);
      pool.free(first);
      pool.free(third);
      assertThatThrownBy(() -> pool.hold(3 * KIB)).isInstanceOf(OutOfMemory.class);
      assertThat(pool.allocator.stats().movedBytes()).isZero();
    }
  }

  @Test
  void aSourceThatRefusesGetsRegionsBack() {
    // Addresses without memory behind them: what moves is the block alone.
    Map<Long, Block> blocks = new HashMap<>();
    var mover = new BlockMover() {
      @Override
      public boolean isMovable(long allocationId) {
        return true;
      }

      @Override
      public boolean move(Block to) {
        blocks.put(to.allocationId(), to);
        return true;
      }
    };
    try (var allocator = new BfcAllocator(FakeSubAllocator.scattered(16 * KIB), OPTIONS.withLimitBytes(
      Long.MAX_VALUE), AllocationListener.silent(), mover)) {
      for (int i = 0; i < 4; i++) {
        Block whole = allocator.allocate(4 * KIB);
        allocator.free(whole);
        Block half = allocator.allocate(2 * KIB);
        blocks.put(half.allocationId(), half);
        if (i < 3) {
          // Fills the other half while the next region is taken.
          Block other = allocator.allocate(2 * KIB);
          blocks.put(other.allocationId(), other);
        }
      }
      for (long id : List.of(2L, 5L, 8L)) {
        allocator.free(Objects.requireNonNull(blocks.remove(id)));
      }
      assertThat(allocator.stats().poolBytes()).isEqualTo(16 * KIB);
      Block large = allocator.allocate(8 * KIB);
      allocator.validate();
      assertThat(allocator.stats().movedBytes()).isEqualTo(4 * KIB);
      allocator.free(large);
      blocks.values().forEach(allocator::free);
    }
  }

  @Test
  void aCopyThatFailsLeavesAllInOrder() {
    for (int copies = 0; copies < 3; copies++) {
      try (var pool = new Pool(ONE_REGION)) {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          blocks.add(pool.hold(2 * KIB));
        }
        for (int i = 0; i < 8; i += 2) {
          pool.free(blocks.get(i));
        }
        pool.holder.copies = copies;
        assertThatThrownBy(() -> pool.hold(8 * KIB)).hasMessage("on purpose");
        pool.check();
        assertThat(pool.allocator.stats().movedBytes()).isEqualTo(copies * 2 * KIB);
        pool.holder.copies = Integer.MAX_VALUE;
        pool.hold(8 * KIB);
      }
    }
  }

  @Test
  void memoryThatAStreamMayStillUseIsNoTarget() {
    try (var pool = new Pool(ONE_REGION)) {
      Block timed = pool.hold(2 * KIB);
      Block gone = pool.hold(2 * KIB);
      Block block = pool.hold(2 * KIB);
      Block further = pool.hold(2 * KIB);
      pool.hold(8 * KIB);
      pool.allocator.free(timed, 1, 5);
      pool.holder.blocks.remove(timed.allocationId());
      pool.free(gone);
      pool.free(further);
      assertThat(pool.allocator.compact()).isEqualTo(10 * KIB);
      assertThat(pool.holder.now(block).address()).isEqualTo(gone.address());
    }
  }

  @Test
  void anAllocatorWithoutAMoverSaysSo() {
    try (var allocator = new BfcAllocator(new NettySubAllocator(), OPTIONS)) {
      assertThatIllegalStateException().isThrownBy(allocator::compact).withMessageContaining("cannot move");
    }
  }

  @Test
  void randomSequencesKeepContentsAndInvariants() {
    for (long seed = 0; seed < 12; seed++) {
      runRandomly(seed, 200);
    }
  }

  @Test
  @Tag("long")
  void moreRandomSequencesKeepContentsAndInvariants() {
    for (long seed = 100; seed < 140; seed++) {
      runRandomly(seed, 400);
    }
  }

  private static void runRandomly(long seed, int steps) {
    var random = new Random(seed);
    BfcOptions options = OPTIONS.withGrowth(random.nextBoolean() ? Growth.AS_REQUESTED : Growth.DOUBLING)
      .withFirstRegionBytes(4 * KIB).withLimitBytes(64 * KIB)
      .withCollection(random.nextBoolean() ? Collection.COMPACT : Collection.AT_THE_LIMIT);
    try (var pool = new Pool(options)) {
      for (int step = 0; step < steps; step++) {
        List<Block> held = List.copyOf(pool.holder.blocks.values());
        switch (random.nextInt(8)) {
          case 0, 1, 2, 3 -> take(pool, random);
          case 4, 5 -> {
            if (!held.isEmpty()) {
              Block block = held.get(random.nextInt(held.size()));
              pool.holder.pinned.remove(block.allocationId());
              pool.free(block);
            }
          }
          case 6 -> {
            if (!held.isEmpty()) {
              pool.holder.pinned.add(held.get(random.nextInt(held.size())).allocationId());
              pool.holder.pinned.removeIf(_ -> random.nextInt(4) == 0);
            }
          }
          default -> compact(pool, random);
        }
        pool.check();
      }
    }
  }

  private static void take(Pool pool, Random random) {
    try {
      long bytes = 1 + random.nextInt(1 << (4 + random.nextInt(10)));
      pool.holder.hold(random.nextInt(10) == 0
        ? pool.allocator.reserve(AllocationRequest.of(bytes))
        : pool.allocator.allocate(bytes));
    } catch (OutOfMemory e) {
      // The pool is full.
    }
  }

  private static void compact(Pool pool, Random random) {
    Map<Long, Block> before = Map.copyOf(pool.holder.blocks);
    pool.holder.copies = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(4);
    long poolBytes = pool.allocator.stats().poolBytes();
    try {
      assertThat(pool.allocator.compact()).isNotNegative();
    } catch (UnsupportedOperationException e) {
      // The copy failed on purpose.
    }
    pool.holder.copies = Integer.MAX_VALUE;
    assertThat(pool.allocator.stats().poolBytes()).isLessThanOrEqualTo(poolBytes);
    for (long id : pool.holder.pinned) {
      assertThat(pool.holder.blocks.get(id)).isEqualTo(before.get(id));
    }
  }
}
