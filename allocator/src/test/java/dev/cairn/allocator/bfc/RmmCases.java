package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the unit tests of RMM show that concerns a pool; each names its case. */
interface RmmCases extends CaseFixture {
  private BfcAllocator exact(long limit) {
    return allocator(
      BfcOptions.DEFAULT.withLimitBytes(limit).withGrowth(Growth.WHOLE).withSplit(SplitPolicy.exact()));
  }

  /** InitialAndMaxPoolSizeEqual. */
  @Test
  default void aPoolThatBeginsAtItsLimitServesAllOfItAgainAndAgain() {
    BfcAllocator allocator = allocator(
      BfcOptions.DEFAULT.withLimitBytes(2 * MIB).withFirstRegionBytes(2 * MIB).withGrowth(Growth.DOUBLING));
    for (int i = 0; i < 3; i++) {
      long all = allocator.grant(2 * MIB);
      assertThat(allocator.tryGrant(1)).isEqualTo(Block.NO_HANDLE);
      allocator.release(all);
    }
    assertThat(CaseFixture.regionBytes(allocator)).containsExactly(2 * MIB);
  }

  /** A source that has {@code bytes} and no more, as RMM's limiting adaptor. */
  final class Limited implements SubAllocator {
    private final SubAllocator upstream;
    private long left;

    Limited(SubAllocator upstream, long bytes) {
      this.upstream = upstream;
      this.left = bytes;
    }

    @Override
    public MemorySpace space() {
      return upstream.space();
    }

    @Override
    public long maximumRegionBytes() {
      return upstream.maximumRegionBytes();
    }

    @Override
    public boolean supportsCoalescing() {
      return upstream.supportsCoalescing();
    }

    @Override
    public @Nullable Region allocate(long bytes) {
      Region region = bytes > left ? null : upstream.allocate(bytes);
      left -= region == null ? 0 : bytes;
      return region;
    }

    @Override
    public void release(Region region) {
      upstream.release(region);
      left += region.bytes();
    }
  }

  /** ForceGrowth with a limiting source. */
  @Test
  default void growthUsesUpASourceThatIsShorterThanTheNextStep() {
    Limited source = new Limited(newSource(), 6 * MIB);
    BfcAllocator allocator = over(source, BfcOptions.DEFAULT.withFirstRegionBytes(MIB).withSplit(SplitPolicy.exact()));
    for (int i = 0; i < 5; i++) {
      allocator.grant(MIB);
    }
    assertThat(allocator.stats().poolBytes()).isGreaterThan(5 * MIB - 1).isLessThanOrEqualTo(6 * MIB);
    assertThat(allocator.tryGrant(2 * MIB)).isEqualTo(Block.NO_HANDLE);
  }

  /** Superblock split and contiguity. */
  @Test
  default void blocksOfOneRegionAreContiguous() {
    BfcAllocator allocator = exact(64 * KIB);
    Block before = allocator.allocate(1000);
    for (long bytes : new long[] {256, 3000, 256, 700}) {
      Block next = allocator.allocate(bytes);
      assertThat(next.address()).isEqualTo(before.address() + before.bytes());
      before = next;
    }
  }

  private List<Block> fiveOfAKib(BfcAllocator allocator) {
    return List.of(allocator.allocate(KIB), allocator.allocate(KIB), allocator.allocate(KIB), allocator.allocate(KIB),
      allocator.allocate(KIB));
  }

  /** Coalescing with the block before. */
  @Test
  default void aFreedBlockJoinsTheOneBefore() {
    BfcAllocator allocator = exact(5 * KIB);
    List<Block> blocks = fiveOfAKib(allocator);
    allocator.free(blocks.get(1));
    allocator.free(blocks.get(2));
    assertThat(CaseFixture.freeBytes(allocator)).containsExactly(2 * KIB);
    assertThat(allocator.allocate(2 * KIB).address()).isEqualTo(blocks.get(1).address());
  }

  /** Coalescing with the block after. */
  @Test
  default void aFreedBlockJoinsTheOneAfter() {
    BfcAllocator allocator = exact(5 * KIB);
    List<Block> blocks = fiveOfAKib(allocator);
    allocator.free(blocks.get(2));
    allocator.free(blocks.get(1));
    assertThat(CaseFixture.freeBytes(allocator)).containsExactly(2 * KIB);
    assertThat(allocator.allocate(2 * KIB).address()).isEqualTo(blocks.get(1).address());
  }

  /** Coalescing with both. */
  @Test
  default void aFreedBlockJoinsBoth() {
    BfcAllocator allocator = exact(5 * KIB);
    List<Block> blocks = fiveOfAKib(allocator);
    allocator.free(blocks.get(1));
    allocator.free(blocks.get(3));
    assertThat(CaseFixture.freeBytes(allocator)).containsExactly(KIB, KIB);
    allocator.free(blocks.get(2));
    assertThat(CaseFixture.freeBytes(allocator)).containsExactly(3 * KIB);
    assertThat(allocator.stats().freeSplits()).isEqualTo(new Gauge(1, 2, 3));
  }

  /** PerThreadToStreamDealloc. */
  @Test
  default void anotherThreadMayGiveBack() throws Exception {
    BfcAllocator allocator = exact(64 * KIB);
    Block block = allocator.allocate(1000);
    CompletableFuture.runAsync(() -> allocator.free(block)).get();
    assertThat(allocator.stats().liveCount()).isZero();
    assertThat(CaseFixture.freeBytes(allocator)).containsExactly(64 * KIB);
  }

  /** Statistics under ABA interleaving: peak and total of two owners' calls that alternate. */
  @Test
  default void figuresFollowInterleavedHolders() {
    BfcAllocator allocator = exact(64 * KIB);
    Block a = allocator.allocate(KIB, "a");
    Block b = allocator.allocate(2 * KIB, "b");
    allocator.free(a);
    Block again = allocator.allocate(KIB, "a");
    assertThat(again.address()).isEqualTo(a.address());
    assertThat(again.allocationId()).isNotEqualTo(a.allocationId());
    allocator.free(b);
    allocator.free(again);
    AllocatorStats stats = allocator.stats();
    assertThat(stats.all().bytes()).isEqualTo(new Gauge(0, 3 * KIB, 4 * KIB));
    assertThat(stats.all().count()).isEqualTo(new Gauge(0, 2, 3));
  }

  /** UntrackedDeallocationDoesNotUnderflow. */
  @Test
  default void aBlockOfAnotherPoolChangesNoFigure() {
    BfcAllocator allocator = exact(64 * KIB);
    BfcAllocator other = exact(64 * KIB);
    Block foreign = other.allocate(KIB);
    AllocatorStats before = allocator.stats();
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(foreign));
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.release(foreign.handle()));
    assertThat(allocator.stats()).isEqualTo(before);
  }

  /** DeallocWrongBytes: a length that the caller believes in plays no part, as the chunk's own counts. */
  @Test
  default void aWrongLengthDoesNoHarm() {
    BfcAllocator allocator = exact(64 * KIB);
    Block block = allocator.allocate(KIB);
    Block wrong = new Block(allocator, block.handle(), block.allocationId(), block.address(), 3 * KIB, 4 * KIB,
      block.space(), block.space().isHostAccessible() ? block.segment() : MemorySegment.NULL);
    allocator.free(wrong);
    assertThat(allocator.stats().bytesInUse()).isZero();
    assertThat(CaseFixture.freeBytes(allocator)).containsExactly(64 * KIB);
  }
}
