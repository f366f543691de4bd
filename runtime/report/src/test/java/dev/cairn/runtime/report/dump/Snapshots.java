package dev.cairn.runtime.report.dump;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.PoolEvent;
import dev.cairn.allocator.StreamTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Snapshots to be written: a small one that is known, and random ones. */
final class Snapshots {
  static final long BASE = 1L << 40;
  static final Owner CONV = new Owner("conv1", "conv1:0", "f32[1,64]");

  private static final List<PoolEvent.Kind> KINDS = List.of(PoolEvent.Kind.values());

  private Snapshots() {}

  /** Two regions, a block, a chunk that waits for a stream, a free one; a request that was refused. */
  static MemorySnapshot small() {
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.device(1));
    int conv = map.owner(CONV);
    map.region(BASE, 1024).inUse(BASE, 512, 400, 17, conv, 3).free(BASE + 512, 256, 9).free(BASE + 768, 256, 0)
      .region(BASE + 8192, 4 << 20).inUse(BASE + 8192, 4 << 20, 4 << 20, 18, 0, 0);
    AllocationRequest request = AllocationRequest.of(1000, new Owner("conv2", "conv2:0", ""));
    return MemorySnapshot.of(new OutOfMemory(request, 1024, map.build(4_195_500)).with("waited 5 ms")
      .withLastEvents(List.of(
        new PoolEvent(PoolEvent.Kind.GROW, PoolEvent.NO_GRANT, BASE + 8192, 4 << 20, Owner.NONE),
        new PoolEvent(PoolEvent.Kind.FREE, 16, BASE + 512, 256, CONV))));
  }

  static MemoryMap empty(MemorySpace space) {
    return new MemoryMapBuilder(space).build(Long.MAX_VALUE);
  }

  /** Names with quotes, control characters and letters of many scripts among the owners. */
  static MemorySnapshot random(long seed, int mostRegions, int mostChunks) {
    Random random = new Random(seed);
    MemoryMapBuilder map = new MemoryMapBuilder(random.nextBoolean() ? MemorySpace.HOST : MemorySpace.device(3));
    String[] names = {"a", "", "\"q'uo\\te\"", "\u0000\u001b[31m\n", "\u4f60\u597d \ud83d\ude00", "x".repeat(70_000)};
    int[] owners = new int[9];
    for (int owner = 1; owner < owners.length; owner++) {
      owners[owner] = map.owner(new Owner(names[random.nextInt(names.length)], names[random.nextInt(names.length)],
        names[random.nextInt(names.length)]));
    }
    long address = BASE;
    for (int region = random.nextInt(mostRegions + 1); region > 0; region--) {
      long[] bytes = random.longs(1 + random.nextInt(mostChunks), 1, 1L << random.nextInt(1, 20)).map(it -> it * 256)
        .toArray();
      long sum = 0;
      for (long ofChunk : bytes) {
        sum += ofChunk;
      }
      map.region(address, sum);
      for (long ofChunk : bytes) {
        if (random.nextBoolean()) {
          map.inUse(address, ofChunk, random.nextLong(ofChunk + 1), random.nextLong(Long.MAX_VALUE),
            owners[random.nextInt(owners.length)], random.nextInt());
        } else {
          map.free(address, ofChunk, random.nextBoolean()
            ? 0
            : StreamTime.of(random.nextInt(3), 1 + random.nextLong(
              StreamTime.MAXIMUM_TIME)));
        }
        address += ofChunk;
      }
      address += 4096;
    }
    MemoryMap built = map.build(random.nextBoolean() ? Long.MAX_VALUE : address - BASE);
    return random.nextBoolean() ? MemorySnapshot.of(built) : refused(random, built);
  }

  private static MemorySnapshot refused(Random random, MemoryMap map) {
    AllocationRequest request = new AllocationRequest(random.nextLong(Long.MAX_VALUE / 2), CONV,
      256L << random.nextInt(9), random.nextInt(3), random.nextInt(3));
    return MemorySnapshot.of(new OutOfMemory(request, (request.bytes() + 255) & -256, map).with("\"\n\u0007").with("")
      .withLastEvents(events(random)));
  }

  private static List<PoolEvent> events(Random random) {
    List<PoolEvent> events = new ArrayList<>();
    for (int left = random.nextInt(70); left > 0; left--) {
      PoolEvent.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
      boolean ofBlock = kind == PoolEvent.Kind.GRANT || kind == PoolEvent.Kind.FREE;
      events.add(new PoolEvent(kind, ofBlock ? random.nextLong(Long.MAX_VALUE) : PoolEvent.NO_GRANT,
        random.nextLong(), random.nextLong(Long.MAX_VALUE), ofBlock ? CONV : Owner.NONE));
    }
    return events;
  }
}
