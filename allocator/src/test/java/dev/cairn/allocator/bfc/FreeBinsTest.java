package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
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
    requireSearches(distinctSizes, 8_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 60, 3000})
  @Tag("long")
  void everySearchOfManyIsThatOfASortedSet(int distinctSizes) {
    requireSearches(distinctSizes, 50_000);
  }

  private void requireSearches(int distinctSizes, int count) {
    TreeSet<Integer> sorted = new TreeSet<>(
      Comparator.<Integer>comparingLong(chunks::bytes).thenComparingLong(chunks::address));
    Random random = new Random(distinctSizes);
    List<Integer> inBins = new ArrayList<>();
    for (int i = 0; i < count; i++) {
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

  /** Chunks that come, go and change; every chunk is reached from every other. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 60, 3000})
  void everyStepFromChunkToChunkIsThatOfASortedSet(int distinctSizes) {
    requireSteps(distinctSizes, 1000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 60, 3000})
  @Tag("long")
  void everyStepOfManyIsThatOfASortedSet(int distinctSizes) {
    requireSteps(distinctSizes, 3000);
  }

  private void requireSteps(int distinctSizes, int count) {
    FreeBins subject = bins;
    TreeSet<Integer> sorted = new TreeSet<>(Comparator.<Integer>comparingLong(chunks::bytes)
      .thenComparingLong(chunks::address));
    Random random = new Random(distinctSizes);
    for (int i = 0; i < count; i++) {
      List<Integer> here = new ArrayList<>(sorted);
      if (here.isEmpty() || (here.size() < 4 + i / 200 * 4 && random.nextInt(3) == 0)) {
        int created = chunk(random.nextLong(1L << 40), bytes(random, distinctSizes));
        subject.insert(chunks, created);
        sorted.add(created);
      } else {
        int chosen = here.get(random.nextInt(here.size()));
        // This comes before the change, since the set looks at the chunk itself.
        sorted.remove(chosen);
        if (random.nextInt(5) == 0) {
          subject.remove(chunks, chosen);
          chunks.destroy(chosen);
        } else {
          resize(subject, chosen, random, distinctSizes);
          sorted.add(chosen);
        }
      }
      assertIs(subject, sorted, bytes(random, distinctSizes));
    }
  }

  private void resize(FreeBins subject, int chunk, Random random, int distinctSizes) {
    // Mostly as after a cut: the same class, or the neighbouring one.
    long bytes = random.nextBoolean()
      ? bytes(random, distinctSizes)
      : Math.max(256, chunks.bytes(chunk) + 256L * (random.nextInt(3) - 1));
    subject.resize(chunks, chunk, random.nextLong(1L << 40), bytes);
  }

  private void assertIs(FreeBins subject, Set<Integer> sorted, long wanted) {
    for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
      // This throws if a node is not below a parent of higher priority.
      depth(chunks, subject.root(sizeClass));
    }
    List<Integer> order = new ArrayList<>(sorted);
    List<Integer> walked = new ArrayList<>();
    for (int chunk = subject.bestFit(chunks, 256); chunk != ChunkTable.NONE && walked.size() <= order.size();) {
      walked.add(chunk);
      chunk = subject.after(chunks, chunk);
    }
    assertThat(walked).isEqualTo(order);
    assertThat(subject.count()).isEqualTo(order.size());
    assertThat(subject.largestBytes(chunks)).isEqualTo(order.isEmpty() ? 0 : chunks.bytes(order.getLast()));
    assertThat(subject.bestFit(chunks, wanted)).isEqualTo(order.stream().filter(it -> chunks.bytes(it) >= wanted)
      .findFirst().orElse(ChunkTable.NONE));
    for (int at = 0; at < order.size(); at += 7) {
      long bytes = chunks.bytes(order.get(at));
      assertThat(subject.lastAsLong(chunks, order.get(at))).isEqualTo(order.stream().filter(
        it -> chunks.bytes(it) == bytes).reduce((earlier, later) -> later).orElseThrow());
    }
  }

  private static long bytes(Random random, int distinctSizes) {
    if (distinctSizes == 60 && random.nextInt(50) == 0) {
      return Long.MAX_VALUE & -256;
    }
    long bytes = 256L * (1 + random.nextInt(distinctSizes));
    return distinctSizes == 60 ? bytes << random.nextInt(20) : bytes;
  }

  /** Depth is what a search costs: with random priorities some 4.3 ln n - 2 ln ln n, 45; a full tree's is 17. */
  @Test
  void treesStayShallowInAnyOrderOfInsertion() {
    for (int order = 0; order < 3; order++) {
      ChunkTable table = new ChunkTable();
      FreeBins subject = new FreeBins();
      int count = 100_000;
      Random random = new Random(order);
      for (int i = 0; i < count; i++) {
        table.ensureRoom(1);
        long place = order == 0 ? i : order == 1 ? count - i : random.nextInt(1 << 30);
        subject.insert(table, table.create(place * 512, 256));
      }
      assertThat(depth(table, subject.root(SizeClasses.of(256)))).isBetween(17, 70);
    }
  }

  private static int depth(ChunkTable table, int node) {
    return node == ChunkTable.NONE
      ? 0
      : 1 + Math.max(depthBelow(table, node, table.left(node)), depthBelow(table, node, table.right(node)));
  }

  private static int depthBelow(ChunkTable table, int parent, int node) {
    if (node != ChunkTable.NONE && (table.parent(node) != parent || !Treap.isAbove(table, parent, node))) {
      throw new AssertionError("not in its place: node=%d parent=%d above=%d".formatted(node, table.parent(node),
        parent));
    }
    return depth(table, node);
  }
}
