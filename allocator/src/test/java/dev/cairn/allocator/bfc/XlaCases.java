package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import dev.cairn.allocator.source.FaultySubAllocator;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the unit tests of XLA's allocator show, each with its case; {@link SpatialCasesTest} has those of two ends. */
interface XlaCases extends CaseFixture {
  /** AllocateAndFree. */
  @Test
  default void aFreedBlockIsGrantedAgain() {
    BfcAllocator allocator = allocator(MIB, Growth.DOUBLING);
    Block block = allocator.allocate(1000);
    allocator.free(block);
    assertThat(allocator.allocate(1000).address()).isEqualTo(block.address());
  }

  /** DefaultAlignment. */
  @Test
  default void addressesAreAligned() {
    BfcAllocator allocator = allocator(MIB, Growth.DOUBLING);
    for (long bytes : new long[] {1, 63, 64, 65, 255, 257, 4000}) {
      assertThat(allocator.allocate(bytes).address() % 256).isZero();
    }
  }

  /** OomLogsAllocationAnnotations. */
  @Test
  default void aFailureNamesTheOwnersOfWhatIsHeld() {
    BfcAllocator allocator = allocator(MIB, Growth.WHOLE);
    allocator.beginStep(7);
    Owner owner = new Owner("conv1", "conv1:0", "f32[1,64,56,56]");
    allocator.allocate(AllocationRequest.of(MIB / 2, owner));
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class,
      () -> allocator.allocate(AllocationRequest.of(MIB, Owner.of("conv2", "conv2:0"))));
    assertThat(failure).hasMessageContaining("conv2/conv2:0");
    MemoryMap.ChunkEntry held = failure.memoryMap().chunks().filter(MemoryMap.ChunkEntry::inUse).findFirst()
      .orElseThrow();
    assertThat(held.owner()).isEqualTo(owner).hasToString("conv1/conv1:0 f32[1,64,56,56]");
    assertThat(held.step()).isEqualTo(7);
  }

  /** ExtendTerminatesWhenSubAllocatorAlwaysFails. */
  @Test
  default void aSourceThatNeverGivesIsNotAskedForEver() {
    for (long limit : new long[] {256, 2048, 1 << 20, Long.MAX_VALUE}) {
      FaultySubAllocator source = new FaultySubAllocator(newSource(), _ -> FaultySubAllocator.Fault.REFUSE);
      BfcAllocator allocator = over(source, BfcOptions.DEFAULT.withLimitBytes(limit).withGrowth(Growth.WHOLE));
      assertThat(allocator.tryGrant(1)).isEqualTo(Block.NO_HANDLE);
      assertThat(source.calls()).isBetween(1L, 1000L);
    }
  }

  /** RespectsRequestedAlignment. */
  @Test
  default void requestedAlignmentsAreKept() {
    BfcAllocator allocator = allocator(16 * MIB, Growth.WHOLE);
    List<Block> blocks = new ArrayList<>();
    for (long alignment = 32; alignment <= 4096; alignment *= 2) {
      for (int i = 0; i < 8; i++) {
        Block block = allocator.allocate(AllocationRequest.of(1000).withAlignment(alignment));
        assertThat(block.address() % alignment).isZero();
        blocks.add(block);
      }
    }
    CaseFixture.assertApart(blocks);
    blocks.forEach(allocator::free);
    assertThat(CaseFixture.freeBytes(allocator)).containsExactly(16 * MIB);
  }

  /** StressAllocFree. */
  @Test
  default void anyOrderOfFreesLeavesOneChunk() {
    BfcAllocator allocator = allocator(16 * MIB, Growth.WHOLE);
    List<AllocationRequest> requests = new ArrayList<>();
    for (long alignment : new long[] {64, 256, 512, 1024, 4096}) {
      for (long bytes : new long[] {1, 100, 256, 1000, 4096, 10_000, 40_000}) {
        requests.addAll(Collections.nCopies(10, AllocationRequest.of(bytes).withAlignment(alignment)));
      }
    }
    Random random = new Random(20);
    for (int shuffle = 0; shuffle < 20; shuffle++) {
      Collections.shuffle(requests, random);
      List<Block> blocks = new ArrayList<>();
      for (AllocationRequest request : requests) {
        blocks.add(allocator.allocate(request));
        assertThat(blocks.getLast().address() % request.alignmentBytes()).isZero();
      }
      CaseFixture.assertApart(blocks);
      Collections.shuffle(blocks, random);
      blocks.forEach(allocator::free);
      assertThat(CaseFixture.freeBytes(allocator)).containsExactly(16 * MIB);
    }
  }

  /** AlignmentWithHardcodedSubAllocatorAlignment. */
  @Test
  default void alignmentsBeyondTheSourcesAreKept() {
    BfcAllocator allocator = over(new Shifted(newSource()), BfcOptions.DEFAULT.withLimitBytes(16 * MIB));
    for (long alignment = 256; alignment <= 4096; alignment *= 2) {
      for (int i = 0; i < 8; i++) {
        assertThat(allocator.allocate(AllocationRequest.of(5000).withAlignment(alignment)).address() % alignment)
          .isZero();
      }
    }
    // Also for a request of a whole region.
    Block large = allocator.allocate(AllocationRequest.of(4 * MIB).withAlignment(4096));
    assertThat(large.address() % 4096).isZero();
  }

  /** A source whose regions are aligned to 256 bytes and no more. */
  final class Shifted implements SubAllocator {
    private final SubAllocator upstream;
    private final IdentityHashMap<Region, Region> whole = new IdentityHashMap<>();

    Shifted(SubAllocator upstream) {
      this.upstream = upstream;
    }

    @Override
    public MemorySpace space() {
      return upstream.space();
    }

    @Override
    public long maximumRegionBytes() {
      return upstream.maximumRegionBytes() - 4096;
    }

    @Override
    public boolean supportsCoalescing() {
      return false;
    }

    @Override
    public @Nullable Region allocate(long bytes) {
      Region region = upstream.allocate(bytes + 512);
      if (region == null) {
        return null;
      }
      long shift = region.address() % 512 == 0 ? 256 : 512;
      MemorySegment segment = region.segment().equals(MemorySegment.NULL)
        ? MemorySegment.NULL
        : region.segment().asSlice(shift, bytes);
      Region shifted = new Region(region.address() + shift, bytes, segment);
      whole.put(shifted, region);
      return shifted;
    }

    @Override
    public void release(Region region) {
      upstream.release(Objects.requireNonNull(whole.remove(region)));
    }
  }

  /** GetAndClearMemoryStats. */
  @Test
  default void clearingBringsPeaksDownToWhatIsHeld() {
    BfcAllocator allocator = allocator(
      BfcOptions.DEFAULT.withLimitBytes(16 * MIB).withSplit(SplitPolicy.exact()));
    Block kept = allocator.allocate(1000);
    Block large = allocator.allocate(3 * MIB);
    allocator.free(large);
    AllocatorStats before = allocator.clearStats();
    assertThat(before.all().bytes()).isEqualTo(new Gauge(1024, 1024 + 3 * MIB, 1024 + 3 * MIB));
    assertThat(before.largestBytes()).isEqualTo(3 * MIB);
    AllocatorStats after = allocator.stats();
    assertThat(after.all().count()).isEqualTo(new Gauge(1, 1, 0));
    assertThat(after.all().bytes()).isEqualTo(new Gauge(1024, 1024, 0));
    assertThat(after.large().bytes()).isEqualTo(Gauge.ZERO);
    assertThat(after.pool()).isEqualTo(new Gauge(before.poolBytes(), before.poolBytes(), 0));
    assertThat(after.largestBytes()).isZero();
    allocator.free(kept);
    assertThat(allocator.stats().all().bytes()).isEqualTo(new Gauge(0, 1024, 0));
  }

  /** RoundedBytes, which wraps upstream. */
  @Test
  default void theLargestNumberIsRefusedInWords() {
    BfcAllocator allocator = allocator(MIB, Growth.DOUBLING);
    for (long bytes : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 255, Long.MAX_VALUE / 256 * 256}) {
      assertThat(allocator.tryGrant(bytes)).isEqualTo(Block.NO_HANDLE);
      OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(bytes));
      assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
    }
    assertThat(allocator.stats().poolBytes()).isZero();
  }
}
