package dev.cairn.allocator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.MemorySpace;
import java.util.List;
import org.junit.jupiter.api.Test;

class OccupancyStripTest {
  /** Chunks in use with what was asked for, free ones with -1. */
  private record Chunk(long bytes, long requested) {}

  @SafeVarargs
  private static MemoryMap map(List<Chunk>... regions) {
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.HOST);
    for (List<Chunk> region : regions) {
      map.region(0, region.stream().mapToLong(Chunk::bytes).sum());
      for (Chunk chunk : region) {
        if (chunk.requested < 0) {
          map.free(0, chunk.bytes, 0);
        } else {
          map.inUse(0, chunk.bytes, chunk.requested, 1, 0, 0);
        }
      }
    }
    return map.build(Long.MAX_VALUE);
  }

  private static List<Chunk> region(Chunk... chunks) {
    return List.of(chunks);
  }

  private static Chunk used(long bytes, long requested) {
    return new Chunk(bytes, requested);
  }

  private static Chunk free(long bytes) {
    return new Chunk(bytes, -1);
  }

  @Test
  void eachCharacterIsAnEqualPart() {
    MemoryMap map = map(region(used(1024, 512), free(512)), region(used(512, 512), free(512)));
    assertThat(OccupancyStrip.of(map, 5)).isEqualTo("*x_*_");
    assertThat(OccupancyStrip.of(map, 10)).isEqualTo("**xx__**__");
  }

  @Test
  void mostOfAPartDecides() {
    assertThat(OccupancyStrip.of(map(region(used(256, 256), free(768))), 1)).isEqualTo("_");
    assertThat(OccupancyStrip.of(map(region(used(768, 256), free(256))), 1)).isEqualTo("x");
    assertThat(OccupancyStrip.of(map(region(used(768, 512), free(256))), 1)).isEqualTo("*");
  }

  @Test
  void largePoolsAndFewBytesKeepTheLength() {
    assertThat(OccupancyStrip.of(map(region(free(1L << 50), used(256, 1))))).isEqualTo("_".repeat(100));
    assertThat(OccupancyStrip.of(map(region(used(256, 256))))).isEqualTo("*".repeat(100));
    assertThat(OccupancyStrip.of(map())).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> OccupancyStrip.of(map(), 0))
      .withMessageContaining("columns=0");
  }

  @Test
  void bytesAreInTheLargestUnit() {
    assertThat(StatsText.bytes(0)).isEqualTo("0 B");
    assertThat(StatsText.bytes(1023)).isEqualTo("1023 B");
    assertThat(StatsText.bytes(1536)).isEqualTo("1.5 KiB");
    assertThat(StatsText.bytes(3L << 40)).isEqualTo("3.0 TiB");
    assertThat(StatsText.bytes(Long.MAX_VALUE)).isEqualTo("8.0 EiB");
    assertThatIllegalArgumentException().isThrownBy(() -> StatsText.bytes(-1));
  }

  @Test
  void statsAreFiveLinesAndOneOfWhatMoved() {
    AllocatorStats.Blocks blocks = new AllocatorStats.Blocks(new Gauge(3, 4, 12), new Gauge(6 << 20, 7 << 20, 9 << 20),
      Gauge.of(5 << 20));
    AllocatorStats stats = new AllocatorStats(blocks, blocks, blocks, Gauge.of(8 << 20), Gauge.of(1), Gauge.ZERO,
      Gauge.ZERO, Gauge.ZERO, 16 << 20, 2 << 20, 1 << 20, 0, 0, 0, 0);
    AllocatorStats moved = new AllocatorStats(blocks, blocks, blocks, Gauge.of(8 << 20), Gauge.of(1), Gauge.ZERO,
      Gauge.ZERO, Gauge.ZERO, 16 << 20, 2 << 20, 1 << 20, 0, 0, 0, 3 << 20);
    assertThat(StatsText.of(moved)).isEqualTo(StatsText.of(stats) + "\nmoved     3.0 MiB");
    assertThat(StatsText.of(stats)).isEqualTo("""
      in use    6.0 MiB in 3 blocks (5.0 MiB asked for, 1.0 MiB slack)
      peak      7.0 MiB in use, 8.0 MiB reserved
      reserved  8.0 MiB (limit 16.0 MiB)
      free      2.0 MiB, largest chunk 1.0 MiB, fragmentation 50.0 %
      granted   12 blocks since the start, largest 2.0 MiB""");
  }
}
