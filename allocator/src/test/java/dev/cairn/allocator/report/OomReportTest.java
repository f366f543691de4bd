package dev.cairn.allocator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.OutOfMemory.Reason;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.PoolEvent;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The report, word for word, for each class of causes; and what must hold of every one. */
class OomReportTest {
  private static final long BASE = 1L << 40;
  private static final long MIB = 1L << 20;
  private static final Owner ASKER = new Owner("conv2", "conv2:0", "f32[1,64,56,56]");

  @Test
  void limit() {
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.device(0));
    int weights = map.owner(Owner.of("weights"));
    int conv = map.owner(new Owner("conv1", "conv1:0", "f32[1,64,112,112]"));
    map.region(BASE, 8 * MIB).inUse(BASE, 4 * MIB, 4 * MIB - 100, 0, weights, 0)
      .inUse(BASE + 4 * MIB, 3 * MIB, 3 * MIB, 17, conv, 3).free(BASE + 7 * MIB, MIB, 0);
    OutOfMemory failure = new OutOfMemory(AllocationRequest.of(4 * MIB - 4, ASKER), 4 * MIB, map.build(8 * MIB))
      .with("waited 10000 ms for others to free memory").withLastEvents(List.of(
        new PoolEvent(PoolEvent.Kind.SHRINK, PoolEvent.NO_GRANT, BASE - 8 * MIB, MIB, Owner.NONE),
        new PoolEvent(PoolEvent.Kind.GROW, PoolEvent.NO_GRANT, BASE, 8 * MIB, Owner.NONE),
        new PoolEvent(PoolEvent.Kind.GRANT, 17, BASE + 4 * MIB, 3 * MIB, new Owner("conv1", "conv1:0", "f32[1]")),
        new PoolEvent(PoolEvent.Kind.FREE, 16, BASE + 7 * MIB, 256, Owner.NONE)));
    OomReport report = OomReport.of(failure, Optional.of(Path.of("/tmp/dump.json")));
    assertThat(report.reason()).isEqualTo(Reason.LIMIT);
    assertThat(report.text()).isEqualTo("""
      out of memory: the allocator of device:0 has no 4.0 MiB for conv2/conv2:0 f32[1,64,56,56]
        asked for 4194300 B, needs a chunk of 4194304 B

      why: limit: all free bytes and the rest of the limit are too few; 3.0 MiB short (3145728 B)
        7.0 MiB in use in 2 blocks, 1.0 MiB free, largest free chunk 1.0 MiB
        pool 8.0 MiB in 1 region, limit 8.0 MiB (8388608 B)
        waited 10000 ms for others to free memory

      held by 2 owners, largest first                                bytes   blocks  since
        weights                                                    4.0 MiB        1  id 0
        conv1/conv1:0 f32[1,64,112,112]                            3.0 MiB        1  step 3, id 17

      smallest release: 3.0 MiB of 1 block; 4.0 MiB at 0x10000400000 are one piece then
        id 17, 3.0 MiB, conv1/conv1:0 f32[1,64,112,112], since step 3

      what would help
      - raise the limit by 4.0 MiB, to 12.0 MiB (12582912 B)

      last events, newest last
        shrink    1.0 MiB at 0xffff800000
        grow      8.0 MiB at 0x10000000000
        grant     3.0 MiB at 0x10000400000, id 17, conv1/conv1:0 f32[1]
        free        256 B at 0x10000700000, id 16

      pool, 81.9 KiB a character: * in use by request, x slack, _ free
      ****************************************************************************************____________

      chunks of            all    in use         bytes        in use     asked for          free
        from 1 MiB           1         0       1.0 MiB           0 B           0 B       1.0 MiB
        from 2 MiB           1         1       3.0 MiB       3.0 MiB       3.0 MiB           0 B
        from 4 MiB           1         1       4.0 MiB       4.0 MiB       4.0 MiB           0 B

      every chunk is in /tmp/dump.json""");
  }

  @Test
  void fragmentation() {
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.device(1));
    int[] owners = new int[7];
    for (int owner = 0; owner < owners.length; owner++) {
      owners[owner] = map.owner(Owner.of("op" + owner, "op" + owner + ":0"));
    }
    for (int region = 0; region < 2; region++) {
      long at = BASE + region * 32L * MIB;
      map.region(at, 16 * MIB);
      for (int pair = 0; pair < 8; pair++, at += 2 * MIB) {
        map.inUse(at, MIB, MIB / 4, 8 * region + pair, owners[(3 * region + pair) % owners.length], pair)
          .free(at + MIB, MIB, 0);
      }
    }
    OomReport report = OomReport.of(new OutOfMemory(AllocationRequest.of(12 * MIB, ASKER), 12 * MIB,
      map.build(33 * MIB)));
    assertThat(report.reason()).isEqualTo(Reason.FRAGMENTATION);
    assertThat(report.text()).isEqualTo("""
      out of memory: the allocator of device:1 has no 12.0 MiB for conv2/conv2:0 f32[1,64,56,56]
        asked for 12582912 B, needs a chunk of 12582912 B

      why: fragmentation: 16.0 MiB are free, but not in one piece; 11.0 MiB short (11534336 B)
        16.0 MiB in use in 16 blocks, 16.0 MiB free, largest free chunk 1.0 MiB
        pool 32.0 MiB in 2 regions, limit 33.0 MiB (34603008 B)

      held by 7 owners, largest first                                bytes   blocks  since
        op0/op0:0                                                  3.0 MiB        3  id 0
        op3/op3:0                                                  3.0 MiB        3  step 3, id 3
        op1/op1:0                                                  2.0 MiB        2  step 1, id 1
        op2/op2:0                                                  2.0 MiB        2  step 2, id 2
        op4/op4:0                                                  2.0 MiB        2  step 4, id 4
        op5/op5:0                                                  2.0 MiB        2  step 5, id 5
        1 more                                                     2.0 MiB

      smallest release: 6.0 MiB of 6 blocks; 12.0 MiB at 0x10000000000 are one piece then
        1 block, 1.0 MiB of op0/op0:0
        1 block, 1.0 MiB of op1/op1:0
        1 block, 1.0 MiB of op2/op2:0
        1 block, 1.0 MiB of op3/op3:0
        and the blocks of 2 more owners

      what would help
      - use --memory-growth virtual (MemoryGrowth.VIRTUAL, GPU only): joins 16.0 MiB free in 2 regions
      - use --memory-growth whole (MemoryGrowth.WHOLE): one region of 33.0 MiB instead of 2 regions
      - raise the limit by 11.0 MiB, to 44.0 MiB (46137344 B)
      - request less at once: 1.0 MiB is available now

      pool, 327.7 KiB a character: * in use by request, x slack, _ free
      *xx___*xx___*xxx___*xx___*xx___*xx___*xxx___*xx___*xx___*xx___*xxx___*xx___*xx___*xx___*xxx___*xx___

      chunks of            all    in use         bytes        in use     asked for          free
        from 1 MiB          32        16      32.0 MiB      16.0 MiB       4.0 MiB      16.0 MiB""");
  }

  @Test
  void sourceRefused() {
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.PINNED);
    int buffers = map.owner(Owner.of("io", "staging"));
    map.region(BASE, MIB).inUse(BASE, MIB, MIB, 0, buffers, 0).region(BASE + 2 * MIB, MIB).free(BASE + 2 * MIB, MIB, 0)
      .region(BASE + 4 * MIB, 2 * MIB).inUse(BASE + 4 * MIB, MIB, MIB, 5, buffers, 0).free(BASE + 5 * MIB, MIB, 0);
    OutOfMemory failure = new OutOfMemory(AllocationRequest.of(2 * MIB), 2 * MIB, map.build(Long.MAX_VALUE))
      .with("the driver says that 1048576 B are free");
    OomReport report = OomReport.of(failure);
    assertThat(report.reason()).isEqualTo(Reason.SOURCE_REFUSED);
    assertThat(report.text()).isEqualTo("""
      out of memory: the allocator of pinned has no 2.0 MiB for (no owner)
        asked for 2097152 B, needs a chunk of 2097152 B

      why: source-refused: the limit allows more, but pinned has none; 1.0 MiB short (1048576 B)
        2.0 MiB in use in 2 blocks, 2.0 MiB free, largest free chunk 1.0 MiB
        pool 4.0 MiB in 3 regions, no limit
        the driver says that 1048576 B are free

      held by 1 owner                                                bytes   blocks  since
        io/staging                                                 2.0 MiB        2  id 0

      smallest release: 1.0 MiB of 1 block; 2.0 MiB at 0x10000400000 are one piece then
        id 5, 1.0 MiB, io/staging

      what would help
      - end other programs that use pinned: it must have 2.0 MiB in one piece
      - trim: 1 region is free, and 1.0 MiB can go back to the source

      pool, 41.0 KiB a character: * in use by request, x slack, _ free
      *************************_________________________*************************_________________________

      chunks of            all    in use         bytes        in use     asked for          free
        from 1 MiB           4         2       4.0 MiB       2.0 MiB       2.0 MiB       2.0 MiB""");
  }

  @Test
  void timeHeld() {
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.device(0));
    int conv = map.owner(Owner.of("conv1"));
    map.region(BASE, 4 * MIB).inUse(BASE, MIB, MIB, 40, conv, 9).free(BASE + MIB, 2 * MIB, 12)
      .free(BASE + 3 * MIB, MIB, 7);
    OomReport report = OomReport.of(new OutOfMemory(AllocationRequest.of(2 * MIB, ASKER).withFreedBefore(8)
      .withAlignment(512), 2 * MIB, map.build(4 * MIB)));
    assertThat(report.reason()).isEqualTo(Reason.TIME_HELD);
    assertThat(report.text()).isEqualTo("""
      out of memory: the allocator of device:0 has no 2.0 MiB for conv2/conv2:0 f32[1,64,56,56]
        asked for 2097152 B, needs a chunk of 2097152 B, aligned to 512 B, free since time 8

      why: time-held: streams may still use 3.0 MiB of the free bytes; 2.0 MiB short (2097152 B)
        1.0 MiB in use in 1 block, 3.0 MiB free, largest free chunk 2.0 MiB
        pool 4.0 MiB in 1 region, limit 4.0 MiB (4194304 B)

      held by 1 owner                                                bytes   blocks  since
        conv1                                                      1.0 MiB        1  step 9, id 40

      smallest release: none is needed; 2.0 MiB at 0x10000100000 are one piece then
        once the streams that may still use it have finished

      what would help
      - wait for streams that use 3.0 MiB of freed memory, until time 12; or allow any free time
      - raise the limit by 2.0 MiB, to 6.0 MiB (6291456 B)

      pool, 41.0 KiB a character: * in use by request, x slack, _ free
      *************************___________________________________________________________________________

      chunks of            all    in use         bytes        in use     asked for          free
        from 1 MiB           2         1       2.0 MiB       1.0 MiB       1.0 MiB       1.0 MiB
        from 2 MiB           1         0       2.0 MiB           0 B           0 B       2.0 MiB""");
  }

  @Test
  void anEmptyPoolHasAReportToo() {
    for (long limit : new long[] {0, 255, 256, Long.MAX_VALUE}) {
      MemoryMap map = new MemoryMapBuilder(MemorySpace.HOST).build(limit);
      for (long bytes : new long[] {1, 256, Long.MAX_VALUE}) {
        OomReport report = OomReport.of(new OutOfMemory(AllocationRequest.of(bytes), Math.min(bytes + 255, bytes)
          & -256, map));
        assertThat(report.releasingSet()).isEmpty();
        assertThat(report.text()).contains("no blocks in use", "the pool is empty", "no release ");
        assertFitsAScreen(report);
      }
    }
  }

  @Test
  void whoeverHoldsOneChunkAndAsksForMoreThanTheLimitIsTold() {
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.HOST);
    map.region(BASE, 256).inUse(BASE, 256, 0, Long.MAX_VALUE, 0, Integer.MAX_VALUE);
    OomReport report = OomReport.of(new OutOfMemory(AllocationRequest.of(512).withAlignment(1L << 62), 512,
      map.build(256)));
    assertThat(report.releasingSet()).isEmpty();
    assertThat(report.text()).contains("needs more than the limit", "step 2147483647, id 9223372036854775807");
    assertFitsAScreen(report);
  }

  @Test
  void namesCannotBreakTheScreen() {
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.HOST);
    String evil = "\u001b]0;gone\u0007\r\n\u202e\"'\u0000\t\ud800\udc00\ud800%s%n";
    int owner = map.owner(new Owner(evil, evil.repeat(100_000), evil));
    map.region(BASE, 512).inUse(BASE, 256, 256, 1, owner, 1).inUse(BASE + 256, 256, 256, 2, owner, 1);
    OutOfMemory failure = new OutOfMemory(AllocationRequest.of(512, new Owner(evil, evil, evil.repeat(1000))), 512,
      map.build(512)).with(evil);
    for (int more = 0; more < 100; more++) {
      failure = failure.with(evil.repeat(more));
    }
    failure = failure.withLastEvents(Collections.nCopies(64, new PoolEvent(PoolEvent.Kind.GRANT, Long.MAX_VALUE,
      -1, Long.MAX_VALUE, new Owner(evil, evil.repeat(1000), evil))));
    OomReport report = OomReport.of(failure, Optional.of(Path.of("/tmp/\u001b[31m" + "x".repeat(200))));
    assertFitsAScreen(report);
    assertThat(report.text().lines().filter(line -> line.startsWith("  grant"))).hasSize(6);
    assertThat(report.text()).contains("\\u001b]0;gone\\u0007\\u000d\\u000a\\u202e\"'", "97 more circumstances");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void everyReportFitsAScreen(int seed) {
    RandomMaps maps = new RandomMaps(seed);
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      long bytes = 1 + random.nextLong(1L << (8 + random.nextInt(54)));
      OomReport report = OomReport.of(new OutOfMemory(AllocationRequest.of(bytes, ASKER).withFreedBefore(
        random.nextInt(5)), (bytes + 255) & -256, maps.next(5, 30, 20, true)));
      assertFitsAScreen(report);
      assertThat(report.toString()).isEqualTo(report.text());
    }
  }

  @Test
  void manyChunksOfManyOwnersAreNoBurden() {
    requireAReport(100_000);
  }

  @Test
  @Tag("long")
  void aMillionChunksOfAMillionOwnersAreNoBurden() {
    requireAReport(1_000_000);
  }

  private static void requireAReport(int chunks) {
    MemoryMapBuilder builder = new MemoryMapBuilder(MemorySpace.device(0)).ensureRoom(chunks);
    builder.region(BASE, 256L * chunks);
    Random random = new Random(1);
    for (int chunk = 0; chunk < chunks; chunk++) {
      if (chunk % 2 == 0 || random.nextInt(3) > 0) {
        builder.inUse(BASE + 256L * chunk, 256, 1 + random.nextInt(256), chunk, builder.owner(Owner.of("op" + chunk)),
          0);
      } else {
        builder.free(BASE + 256L * chunk, 256, 0);
      }
    }
    MemoryMap map = builder.build(256L * chunks);
    long wanted = 100L * chunks;
    OomReport report = OomReport.of(new OutOfMemory(AllocationRequest.of(wanted), (wanted + 255) & -256, map));
    assertThat(report.summary().ownerCount()).isEqualTo((int) map.stats().liveCount());
    assertThat(report.releasingSet().orElseThrow().roomBytes()).isBetween(wanted, wanted + 255);
    assertFitsAScreen(report);
  }

  private static void assertFitsAScreen(OomReport report) {
    List<String> lines = report.text().lines().toList();
    assertThat(lines).hasSizeLessThanOrEqualTo(52).allMatch(line -> line.length() <= 100);
    assertThat(report.text().chars().filter(it -> it != '\n')).noneMatch(Character::isISOControl);
    assertThat(lines.getFirst()).startsWith("out of memory: ");
  }
}
