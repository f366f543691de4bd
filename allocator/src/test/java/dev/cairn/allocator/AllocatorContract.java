package dev.cairn.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What every allocator and every stack of layers does. A subclass gives the subject and nothing else. */
public abstract class AllocatorContract {
  /** The limit that the subject must have. */
  protected static final long LIMIT_BYTES = 16L << 20;

  @RegisterExtension
  final Validated validated = new Validated();
  private Allocator allocator;

  /** A new, empty allocator with a limit of {@link #LIMIT_BYTES}. */
  protected abstract Allocator newAllocator();

  /**
   * How far behind the first block the distances between blocks must be the same for the same calls: by default well
   * within the first region, which is 2 MiB at least. 0 where each block has a region of its own.
   */
  protected long sameDistanceBytes() {
    return 1 << 20;
  }

  @BeforeEach
  void makeSubject() {
    allocator = validated.watch(newAllocator());
  }

  @Test
  void blocksAreAlignedLargeEnoughAndApart() {
    List<Block> blocks = new ArrayList<>();
    for (long bytes = 1; bytes <= 1100; bytes += 7) {
      blocks.add(allocator.allocate(bytes, "tensor" + bytes));
    }
    blocks.sort(Comparator.comparingLong(Block::address));
    long end = 0;
    for (Block block : blocks) {
      assertThat(block.address() % 256).isZero();
      assertThat(block.bytes()).isGreaterThanOrEqualTo(block.requestedBytes());
      assertThat(block.address()).isGreaterThanOrEqualTo(end);
      assertThat(block.space()).isEqualTo(allocator.space());
      end = block.address() + block.bytes();
    }
    assertThat(blocks).extracting(Block::allocationId).doesNotHaveDuplicates();
    blocks.forEach(allocator::free);
  }

  @Test
  void hostBlocksHoldWhatIsWritten() {
    if (!allocator.space().isHostAccessible()) {
      Block block = allocator.allocate(64);
      assertThatIllegalStateException().isThrownBy(block::segment).withMessageContaining("not in host memory");
      allocator.free(block);
      return;
    }
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Block block = allocator.allocate(1 + i * 37L);
      assertThat(block.segment().byteSize()).isEqualTo(1 + i * 37L);
      assertThat(block.segment().address()).isEqualTo(block.address());
      block.segment().fill((byte) i);
      blocks.add(block);
    }
    for (int i = 0; i < 100; i++) {
      MemorySegment segment = blocks.get(i).segment();
      for (long at = 0; at < segment.byteSize(); at++) {
        assertThat(segment.get(ValueLayout.JAVA_BYTE, at)).isEqualTo((byte) i);
      }
    }
    blocks.forEach(allocator::free);
    allocator.close();
    assertThatIllegalStateException().isThrownBy(() -> blocks.getFirst().segment().fill((byte) 1));
  }

  @Test
  void trimGivesBackWhatHoldsNoBlock() {
    assertThat(allocator.trim()).isZero();
    Block kept = allocator.allocate(1000);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      blocks.add(allocator.allocate(100_000));
    }
    blocks.forEach(allocator::free);
    long before = allocator.stats().poolBytes();
    long given = allocator.trim();
    assertThat(allocator.stats().poolBytes()).isEqualTo(before - given).isGreaterThanOrEqualTo(kept.bytes());
    assertThat(allocator.stats().bytesInUse()).isEqualTo(kept.bytes());
    Block after = allocator.allocate(200_000);
    allocator.free(after);
    allocator.free(kept);
    allocator.trim();
    assertThat(allocator.stats().poolBytes()).isZero();
  }

  @Test
  void figuresFollowEveryCall() {
    Block small = allocator.allocate(1);
    Block large = allocator.allocate(100_000);
    AllocatorStats both = allocator.stats();
    assertThat(both.allocationCount()).isEqualTo(2);
    assertThat(both.liveCount()).isEqualTo(2);
    assertThat(both.bytesInUse()).isEqualTo(small.bytes() + large.bytes());
    assertThat(both.requestedBytesInUse()).isEqualTo(100_001);
    assertThat(both.largestBytes()).isEqualTo(large.bytes());
    assertThat(both.limitBytes()).isEqualTo(LIMIT_BYTES);
    assertThat(both.poolBytes()).isBetween(both.bytesInUse(), LIMIT_BYTES);
    allocator.free(large);
    allocator.free(small);
    AllocatorStats none = allocator.stats();
    assertThat(none.liveCount()).isZero();
    assertThat(none.bytesInUse()).isZero();
    assertThat(none.requestedBytesInUse()).isZero();
    assertThat(none.allocationCount()).isEqualTo(2);
    assertThat(none.peakBytesInUse()).isEqualTo(both.bytesInUse());
    assertThat(none.largestBytes()).isEqualTo(both.largestBytes());
  }

  @Test
  void mapShowsWhoHoldsWhat() {
    Block weights = allocator.allocate(1000, "weights");
    Block scratch = allocator.allocate(5000, "scratch");
    MemoryMap map = allocator.memoryMap();
    assertThat(map.stats()).isEqualTo(allocator.stats());
    assertThat(map.chunks().filter(MemoryMap.ChunkEntry::inUse)).containsExactlyInAnyOrder(entry(weights, "weights"),
      entry(scratch, "scratch"));
    assertThat(map.chunks().mapToLong(MemoryMap.ChunkEntry::bytes).sum()).isEqualTo(map.stats().poolBytes());
    allocator.free(weights);
    allocator.free(scratch);
    assertThat(allocator.memoryMap().chunks().filter(MemoryMap.ChunkEntry::inUse)).isEmpty();
  }

  private static MemoryMap.ChunkEntry entry(Block block, String owner) {
    return new MemoryMap.ChunkEntry(block.address(), block.bytes(), block.requestedBytes(), block.allocationId(),
      Owner.of(owner), 0, 0, 0);
  }

  @Test
  void noBytesAreAnEmptyBlock() {
    AllocatorStats before = allocator.stats();
    Block empty = allocator.allocate(0);
    assertThat(empty.isEmpty()).isTrue();
    assertThat(empty.bytes()).isZero();
    allocator.free(empty);
    allocator.free(empty);
    assertThat(allocator.stats()).isEqualTo(before);
  }

  @Test
  void negativeBytesAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.allocate(-1, "conv"))
      .withMessageContaining("bytes=-1");
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.allocate(Long.MIN_VALUE));
  }

  @Test
  void aRequestBeyondTheLimitFailsAndChangesNothing() {
    Block held = allocator.allocate(1000);
    AllocatorStats before = allocator.stats();
    for (long bytes : new long[] {LIMIT_BYTES + 1, Long.MAX_VALUE - 300, Long.MAX_VALUE}) {
      OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(bytes, "huge"));
      assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
      assertThat(failure.requestedBytes()).isEqualTo(bytes);
      assertThat(failure.owner()).isEqualTo(Owner.of("huge"));
      assertThat(failure.bytesShort()).isPositive();
      assertThat(failure.memoryMap().stats().all()).isEqualTo(before.all());
      assertThat(failure).message().hasLineCount(3);
    }
    assertThat(allocator.stats().all()).isEqualTo(before.all());
    allocator.free(allocator.allocate(1000));
    allocator.free(held);
  }

  @Test
  void aFullAllocatorServesAgainAfterAFree() {
    List<Block> blocks = new ArrayList<>();
    for (boolean full = false; !full;) {
      try {
        blocks.add(allocator.allocate(64 << 10));
      } catch (OutOfMemory e) {
        full = true;
      }
    }
    assertThat(blocks.size()).isGreaterThan(100);
    allocator.free(blocks.removeLast());
    blocks.add(allocator.allocate(64 << 10));
    assertThatThrownBy(() -> allocator.allocate(64 << 10)).isInstanceOf(OutOfMemory.class);
    blocks.forEach(allocator::free);
  }

  @Test
  void aSecondFreeIsRefusedAndLosesNothing() {
    Block kept = allocator.allocate(512);
    Block block = allocator.allocate(512);
    allocator.free(block);
    AllocatorStats before = allocator.stats();
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(block)).withMessageContaining("already freed");
    assertThat(allocator.stats()).isEqualTo(before);
    allocator.free(kept);
  }

  @Test
  void anotherAllocatorsBlockIsRefused() {
    Allocator other = validated.watch(newAllocator());
    Block foreign = other.allocate(512);
    Block own = allocator.allocate(512);
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(foreign)).withMessageContaining("another");
    assertThat(allocator.stats().liveCount()).isEqualTo(1);
    other.free(foreign);
    allocator.free(own);
  }

  @Test
  void closingNeedsAllBlocksBackAndHappensOnce() {
    Block block = allocator.allocate(512, "forgotten");
    assertThatIllegalStateException().isThrownBy(allocator::close).withMessageContaining("forgotten");
    allocator.free(block);
    allocator.close();
    assertThat(allocator.stats().poolBytes()).isZero();
    assertThatIllegalStateException().isThrownBy(allocator::close).withMessageContaining("closed");
    assertThatIllegalStateException().isThrownBy(() -> allocator.allocate(1)).withMessageContaining("closed");
    assertThatIllegalStateException().isThrownBy(() -> allocator.allocate(0)).withMessageContaining("closed");
    assertThatIllegalStateException().isThrownBy(() -> allocator.free(block)).withMessageContaining("closed");
  }

  @Test
  void theSameCallsHaveTheSameAnswers() {
    Allocator other = validated.watch(newAllocator());
    long base = allocator.allocate(1).address();
    long otherBase = other.allocate(1).address();
    Random random = new Random(3);
    List<Block> blocks = new ArrayList<>();
    List<Block> otherBlocks = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      if (blocks.size() < 20 || random.nextBoolean()) {
        long bytes = 1L + random.nextInt(8000);
        blocks.add(allocator.allocate(bytes));
        otherBlocks.add(other.allocate(bytes));
        assertThat(otherBlocks.getLast().bytes()).isEqualTo(blocks.getLast().bytes());
        long distance = blocks.getLast().address() - base;
        if (distance >= 0 && distance < sameDistanceBytes()) {
          assertThat(otherBlocks.getLast().address() - otherBase).isEqualTo(distance);
        }
      } else {
        int victim = random.nextInt(blocks.size());
        allocator.free(blocks.remove(victim));
        other.free(otherBlocks.remove(victim));
      }
    }
    assertThat(other.stats()).isEqualTo(allocator.stats());
  }

  @Test
  void churnLeavesNothingBehind() {
    Random random = new Random(7);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      if (blocks.size() < 50 && random.nextInt(3) > 0) {
        blocks.add(allocator.allocate(1 + random.nextInt(100_000)));
      } else if (!blocks.isEmpty()) {
        allocator.free(blocks.remove(random.nextInt(blocks.size())));
      }
      if (i % 500 == 0) {
        allocator.validate();
      }
    }
    Collections.shuffle(blocks, random);
    blocks.forEach(allocator::free);
    assertThat(allocator.stats().bytesInUse()).isZero();
    allocator.close();
  }
}
