package dev.cairn.allocator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.SizeBins;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryMapTextTest {
  private static final long BASE = 1L << 40;

  private static String dump(MemoryMap map) throws IOException {
    StringBuilder text = new StringBuilder();
    MemoryMapText.write(map, text);
    return text.toString();
  }

  @Test
  void everyChunkHasItsLineAndFreeOnesTheirNeighbours() throws IOException {
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.device(2));
    int conv = map.owner(new Owner("conv1", "conv1:0", "f32[1,64]"));
    int evil = map.owner(Owner.of("a\u001b[31m\nb"));
    map.region(BASE, 1536).free(BASE, 256, 0).inUse(BASE + 256, 512, 400, 3, conv, 7).free(BASE + 768, 256, 9)
      .free(BASE + 1024, 256, 0).inUse(BASE + 1280, 256, 0, 4, evil, 0).region(BASE + 8192, 256)
      .inUse(BASE + 8192, 256, 256, 5, 0, 0);
    assertThat(dump(map.build(4096))).startsWith("""
      memory dump of device:2 regions=2 chunks=6 poolBytes=1792 bytesInUse=1024 limitBytes=4096

      region 0x10000000000 bytes=1536 chunks=5
        0x10000000000 free bytes=256 freed-at=0 after=(start) before=conv1/conv1:0 f32[1,64]
        0x10000000100 in-use bytes=512 asked=400 id=3 step=7 owner=conv1/conv1:0 f32[1,64]
        0x10000000300 free bytes=256 freed-at=9 after=conv1/conv1:0 f32[1,64] before=(free)
        0x10000000400 free bytes=256 freed-at=0 after=(free) before=a\\u001b[31m\\u000ab
        0x10000000500 in-use bytes=256 asked=0 id=4 step=0 owner=a\\u001b[31m\\u000ab

      region 0x10000002000 bytes=256 chunks=1
        0x10000002000 in-use bytes=256 asked=256 id=5 step=0 owner=(no owner)

      in use: 3 chunks
        2 of 256 B, 512 B together
        1 of 512 B, 512 B together

      free: 3 chunks
        3 of 256 B, 768 B together

      memory of device:2
        in use    1.0 KiB in 3 blocks (656 B asked for, 368 B slack)
      """);
  }

  @Test
  void anEmptyPoolHasADumpToo() throws IOException {
    assertThat(dump(new MemoryMapBuilder(MemorySpace.HOST).build(Long.MAX_VALUE))).isEqualTo("""
      memory dump of host regions=0 chunks=0 poolBytes=0 bytesInUse=0 limitBytes=9223372036854775807

      in use: 0 chunks

      free: 0 chunks

      memory of host
        in use    0 B in 0 blocks (0 B asked for, 0 B slack)
        peak      0 B in use, 0 B reserved
        reserved  0 B (no limit)
        free      0 B, largest chunk 0 B, fragmentation 0.0 %
        granted   0 blocks since the start, largest 0 B

      no blocks in use

      the pool is empty
      """);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void linesAndBinsAddUp(int seed) throws IOException {
    RandomMaps maps = new RandomMaps(seed);
    for (int round = 0; round < 50; round++) {
      MemoryMap map = maps.next(6, 40, 9, true);
      List<String> lines = dump(map).lines().toList();
      assertThat(lines.stream().filter(line -> line.startsWith("  0x")).count()).isEqualTo(map.chunkCount());
      List<BinRow> bins = BinRow.of(map);
      assertThat(bins).hasSize(SizeBins.BINS);
      assertThat(bins.stream().mapToLong(BinRow::bytes).sum()).isEqualTo(map.stats().poolBytes());
      assertThat(bins.stream().mapToLong(BinRow::bytesInUse).sum()).isEqualTo(map.stats().bytesInUse());
      assertThat(bins.stream().mapToLong(BinRow::requestedBytes).sum()).isEqualTo(map.stats().requestedBytesInUse());
      assertThat(bins.stream().mapToInt(BinRow::chunksInUse).sum()).isEqualTo((int) map.stats().liveCount());
      for (BinRow row : bins) {
        assertThat(map.chunks().filter(it -> SizeBins.binOf(it.bytes()) == row.bin())).hasSize(row.chunks());
      }
    }
  }

  @Test
  void allBinsTogetherStandSideBySide() {
    MemoryMapBuilder builder = new MemoryMapBuilder(MemorySpace.HOST);
    long at = BASE;
    builder.region(at, 256L << 30);
    for (int bin = 0; bin < SizeBins.BINS; bin++) {
      builder.inUse(at, 256L << bin, 256L << bin, bin, 0, 0);
      at += 256L << bin;
    }
    String text = MapSummary.of(builder.build(Long.MAX_VALUE)).text();
    assertThat(text.lines()).hasSizeLessThan(26).allMatch(line -> line.length() <= 100);
    assertThat(text).contains("""
      size        all   in use   bytes  in use   asked    size        all   in use   bytes  in use   asked
      256B          1        1    256B    256B    256B    512K          1        1  512.0K  512.0K  512.0K
      """);
  }

  @Test
  void whatCannotBeWrittenIsTold() {
    MemoryMap map = new RandomMaps(1).next(3, 9, 2, false);
    assertThatIOException().isThrownBy(() -> MemoryMapText.write(map, new Writer() {
      @Override
      public void write(char[] text, int from, int length) throws IOException {
        throw new IOException("disk full");
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    })).withMessage("disk full");
  }
}
