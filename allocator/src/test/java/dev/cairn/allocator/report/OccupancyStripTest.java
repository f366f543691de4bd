package dev.cairn.allocator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMap.ChunkEntry;
import dev.cairn.allocator.MemoryMap.RegionEntry;
import dev.cairn.allocator.MemorySpace;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OccupancyStripTest {
  private static final AllocatorStats NONE = new AllocatorStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  private static MemoryMap map(RegionEntry... regions) {
    return new MemoryMap(MemorySpace.HOST, NONE, Arrays.asList(regions));
  }

  private static RegionEntry region(ChunkEntry... chunks) {
    return new RegionEntry(0, Arrays.stream(chunks).mapToLong(ChunkEntry::bytes).sum(), List.of(chunks));
  }

  private static ChunkEntry used(long bytes, long requested) {
    return new ChunkEntry(0, bytes, requested, 1, "a");
  }

  private static ChunkEntry free(long bytes) {
    return new ChunkEntry(0, bytes, 0, -1, "");
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
  void statsAreFiveLines() {
    AllocatorStats stats = new AllocatorStats(12, 3, 6 << 20, 5 << 20, 7 << 20, 2 << 20, 16 << 20, 8 << 20,
      8 << 20, 1 << 20);
    assertThat(StatsText.of(stats)).isEqualTo("""
      in use    6.0 MiB in 3 blocks (5.0 MiB asked for, 1.0 MiB slack)
      peak      7.0 MiB in use, 8.0 MiB reserved
      reserved  8.0 MiB (limit 16.0 MiB)
      free      2.0 MiB, largest chunk 1.0 MiB, fragmentation 50.0 %
      granted   12 blocks since the start, largest 2.0 MiB""");
  }
}
