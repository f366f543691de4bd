package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What suites of cases stand on: a source, and how large its cases may be. Each suite is an interface over this. */
interface CaseFixture {
  long KIB = 1 << 10;
  long MIB = 1 << 20;
  long GIB = 1 << 30;

  /** A new source, that nothing has been taken of. */
  SubAllocator newSource();

  /** An allocator that is validated after the test. */
  BfcAllocator over(SubAllocator source, BfcOptions options);

  /** What stands for {@code bytes} of the original case where real memory is behind it. */
  default long scaled(long bytes) {
    return bytes;
  }

  default BfcAllocator allocator(BfcOptions options) {
    return over(newSource(), options);
  }

  default BfcAllocator allocator(long limitBytes, Growth growth) {
    return allocator(BfcOptions.DEFAULT.withLimitBytes(limitBytes).withGrowth(growth));
  }

  static void assertApart(List<Block> blocks) {
    List<Block> inOrder = new ArrayList<>(blocks);
    inOrder.sort(Comparator.comparingLong(Block::address));
    for (int i = 1; i < inOrder.size(); i++) {
      Block before = inOrder.get(i - 1);
      assertThat(inOrder.get(i).address()).isGreaterThanOrEqualTo(before.address() + before.bytes());
    }
  }

  static List<Long> regionBytes(BfcAllocator allocator) {
    return allocator.memoryMap().regions().stream().map(MemoryMap.RegionEntry::bytes).toList();
  }

  /** Lengths of the free chunks, in the order of addresses. */
  static List<Long> freeBytes(BfcAllocator allocator) {
    return allocator.memoryMap().chunks().filter(chunk -> !chunk.inUse()).map(MemoryMap.ChunkEntry::bytes).toList();
  }

  /** Times of the free chunks, in the order of addresses. */
  static List<Long> freeTimes(BfcAllocator allocator) {
    return allocator.memoryMap().chunks().filter(chunk -> !chunk.inUse()).map(MemoryMap.ChunkEntry::freedAt).toList();
  }
}
