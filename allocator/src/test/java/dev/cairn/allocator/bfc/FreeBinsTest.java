package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bins against one sorted set. */
class FreeBinsTest {
  private final ChunkTable chunks = new ChunkTable();
  private final FreeBins bins = new FreeBins();

  private int chunk(long address, long bytes) {
    chunks.ensureRoom(1);
    return chunks.create(address, bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 60, 3000})
  void everySearchIsThatOfASortedSet(int distinctSizes) {
    TreeSet<Integer> sorted = new TreeSet<>(
      Comparator.<Integer>comparingLong(chunks::bytes).thenComparingLong(chunks::address));
    Random random = new Random(distinctSizes);
    List<Integer> inBins = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      if (inBins.size() < 500 && random.nextInt(2) == 0) {
        int chunk = chunk(random.nextLong(1L << 40), bytes(random, distinctSizes));
        bins.insert(chunks, chunk);
        inBins.add(chunk);
        sorted.add(chunk);
      } else if (!inBins.isEmpty()) {
        int victim = random.nextInt(inBins.size());
        int chunk = inBins.get(victim);
        inBins.set(victim, inBins.getLast());
        inBins.removeLast();
        bins.remove(chunks, chunk);
        sorted.remove(chunk);
        chunks.destroy(chunk);
      }
      long wanted = bytes(random, distinctSizes);
      int expected = sorted.stream().filter(chunk -> chunks.bytes(chunk) >= wanted).findFirst().orElse(ChunkTable.NONE);
      assertThat(bins.bestFit(chunks, wanted)).isEqualTo(expected);
      assertThat(bins.largestBytes(chunks)).isEqualTo(sorted.isEmpty() ? 0 : chunks.bytes(sorted.last()));
    }
  }

  private static long bytes(Random random, int distinctSizes) {
    long bytes = 256L * (1 + random.nextInt(distinctSizes));
    return distinctSizes == 60 ? bytes << random.nextInt(20) : bytes;
  }

  /** Depth is what a search costs; for 100,000 random priorities it stays near 2.9 ln n, some 45. */
  @Test
  void treesStayShallowInAnyOrderOfInsertion() {
    for (int order = 0; order < 3; order++) {
      ChunkTable table = new ChunkTable();
      FreeBins tree = new FreeBins();
      int count = 100_000;
      Random random = new Random(order);
      for (int i = 0; i < count; i++) {
        table.ensureRoom(1);
        long place = order == 0 ? i : order == 1 ? count - i : random.nextInt(1 << 30);
        tree.insert(table, table.create(place * 512, 256));
      }
      assertThat(depth(table, tree.root(0))).isLessThan(70);
    }
  }

  private static int depth(ChunkTable table, int node) {
    return node == ChunkTable.NONE
      ? 0
      : 1 + Math.max(depth(table, table.left(node)), depth(table, table.right(node)));
  }
}
