package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.GarbageMeter;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the front parks and what it doesn't, both of its faces, and that it leaves the Java heap alone. */
class FrontedAllocatorTest {
  @RegisterExtension
  final Validated validated = new Validated();
  private final FrontedAllocator allocator = newAllocator(BfcOptions.DEFAULT, FrontOptions.DEFAULT);

  private FrontedAllocator newAllocator(BfcOptions options, FrontOptions frontOptions) {
    return validated.watch(new FrontedAllocator(FakeSubAllocator.scattered(1L << 40), options, frontOptions,
      AllocationListener.silent()));
  }

  @Test
  void bothFacesShowTheSameGrant() {
    long handle = allocator.grant(1000, allocator.ownerNumber(Owner.of("conv")));
    Block block = allocator.blockOf(handle);
    assertThat(block.handle()).isEqualTo(handle);
    assertThat(block.address()).isEqualTo(allocator.addressOf(handle));
    assertThat(block.requestedBytes()).isEqualTo(1000);
    assertThat(block.bytes()).isEqualTo(1024);
    allocator.free(block);
    allocator.release(allocator.allocate(1000).handle());
    assertThat(allocator.stats().liveCount()).isZero();
  }

  @Test
  void onlyPositiveBytesAreGrantedAndOnlyToKnownOwners() {
    for (long bytes : new long[] {0, -1, Long.MIN_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> allocator.grant(bytes));
      assertThatIllegalArgumentException().isThrownBy(() -> allocator.tryGrant(bytes));
    }
    int known = allocator.ownerNumber(Owner.of("known"));
    for (int owner : new int[] {-1, known + 1, Integer.MAX_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> allocator.grant(100, owner));
    }
  }

  @Test
  void aChunkIsUsedAgainWhileItsOldOwnerIsForgotten() {
    Block old = allocator.allocate(1000, "old");
    allocator.free(old);
    assertThat(allocator.parkedBytes()).isEqualTo(1024);
    assertThat(allocator.stats().bytesInUse()).isZero();
    Block heir = allocator.allocate(800, "heir");
    assertThat(heir.address()).isEqualTo(old.address());
    assertThat(allocator.memoryMap().chunks().filter(MemoryMap.ChunkEntry::inUse)).singleElement()
      .satisfies(entry -> assertThat(entry.owner()).isEqualTo(Owner.of("heir")))
      .satisfies(entry -> assertThat(entry.requestedBytes()).isEqualTo(800));
    allocator.free(heir);
  }

  @Test
  void thePoolDoesNotGrowWhileEnoughIsParked() {
    FrontedAllocator fixed = newAllocator(BfcOptions.DEFAULT.withFirstRegionBytes(1 << 20), FrontOptions.DEFAULT);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 1024; i++) {
      blocks.add(fixed.allocate(1024));
    }
    assertThat(fixed.stats().poolBytes()).isEqualTo(1 << 20);
    blocks.forEach(fixed::free);
    assertThat(fixed.parkedBytes()).isEqualTo(1 << 20);
    for (AllocationRequest request : List.of(AllocationRequest.of(1 << 20), AllocationRequest.of(32 << 10),
      AllocationRequest.of(1000).withAlignment(1 << 19))) {
      fixed.free(fixed.allocate(request));
      assertThat(fixed.stats().poolBytes()).isEqualTo(1 << 20);
    }
  }

  @Test
  void aRefusalShowsWhatIsHeldAndNothingParked() {
    FrontedAllocator fixed = newAllocator(BfcOptions.DEFAULT.withLimitBytes(1 << 20), FrontOptions.DEFAULT);
    Block kept = fixed.allocate(1000, "kept");
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      blocks.add(fixed.allocate(1000, "gone"));
    }
    blocks.forEach(fixed::free);
    OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class, () -> fixed.allocate(1 << 20, "large"));
    MemoryMap map = refusal.memoryMap();
    assertThat(map.chunks().filter(MemoryMap.ChunkEntry::inUse)).singleElement()
      .satisfies(entry -> assertThat(entry.owner()).isEqualTo(Owner.of("kept")));
    assertThat(map.stats().largestFreeBytes()).isEqualTo((1 << 20) - 1024);
    assertThat(map.chunks()).hasSize(2);
    fixed.free(kept);
  }

  @Test
  void withAClockOrTwoEndsNothingIsParked() {
    for (BfcOptions options : List.of(BfcOptions.DEFAULT.withClock(new SharedCounter()),
      BfcOptions.DEFAULT.withLimitBytes(1 << 20).withTwoEnds())) {
      FrontedAllocator direct = newAllocator(options, FrontOptions.DEFAULT);
      direct.free(direct.allocate(1000));
      assertThat(direct.parkedBytes()).isZero();
      direct.setSafeFrontier(1000);
      direct.close();
    }
  }

  @Test
  void clearedFiguresBeginAnew() {
    allocator.free(allocator.allocate(2 << 20));
    Block kept = allocator.allocate(1000);
    AllocatorStats before = allocator.clearStats();
    assertThat(before.allocationCount()).isEqualTo(2);
    assertThat(before.largestBytes()).isEqualTo(2 << 20);
    AllocatorStats after = allocator.stats();
    assertThat(after.allocationCount()).isZero();
    assertThat(after.largestBytes()).isZero();
    assertThat(after.liveCount()).isOne();
    allocator.free(kept);
    allocator.free(allocator.allocate(1000));
    assertThat(allocator.stats().allocationCount()).isOne();
    assertThat(allocator.stats().largestBytes()).isEqualTo(1024);
  }

  @Test
  void segmentsAreRightWhateverWasThereBefore() {
    FrontedAllocator host = validated.watch(new FrontedAllocator(new NettySubAllocator(), BfcOptions.DEFAULT));
    for (int round = 0; round < 5; round++) {
      List<Block> blocks = new ArrayList<>();
      for (int i = 1; i < 200; i++) {
        Block block = host.allocate(i * 31 + round);
        assertThat(block.segment().address()).isEqualTo(block.address());
        assertThat(block.segment().byteSize()).isEqualTo(i * 31 + round);
        block.segment().fill((byte) i);
        blocks.add(block);
      }
      blocks.forEach(host::free);
      if (round % 2 == 1) {
        // The regions go, and others come, perhaps to the same addresses.
        assertThat(host.trim()).isPositive();
      }
    }
    host.close();
  }

  @Test
  void grantsAndReleasesPutNothingOnTheHeap() {
    long[] handles = new long[1000];
    // 80,000 calls: even one small object in a hundred of them would be 12,800 bytes.
    assertThat(GarbageMeter.leastBytes(() -> churn(handles, 40))).isLessThan(3_200);
  }

  private void churn(long[] handles, int rounds) {
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < handles.length; i++) {
        handles[i] = allocator.tryGrant(1 + (i * 7919L + round * 104_729L) % 100_000);
      }
      for (int i = 0; i < handles.length; i++) {
        allocator.release(handles[i * 7 % handles.length]);
      }
    }
  }

  @Test
  void absurdOptionsAreRefused() {
    FrontOptions options = FrontOptions.DEFAULT;
    for (int stripes : new int[] {0, -1, 3, 2048}) {
      assertThatIllegalArgumentException().isThrownBy(() -> options.withStripes(stripes));
    }
    for (long bytes : new long[] {-256, 100, 2 << 20}) {
      assertThatIllegalArgumentException().isThrownBy(() -> options.withLargestBytes(bytes));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> options.withMagazineBlocks(0));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withStripeBytes(-1));
  }
}
