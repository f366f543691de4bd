package dev.cairn.allocator.report;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.Owner;
import java.util.Random;

/** Memory maps of any kind, from seeds. */
final class RandomMaps {
  private final Random random;
  private long address = 1L << 40;
  private long nextId;

  RandomMaps(long seed) {
    random = new Random(seed);
  }

  /** A map of at most {@code mostRegions} regions; the limit allows a little more than the pool. */
  MemoryMap next(int mostRegions, int mostChunks, int owners, boolean timed) {
    MemoryMapBuilder map = new MemoryMapBuilder(MemorySpace.device(0));
    int[] numbers = new int[owners];
    for (int owner = 0; owner < owners; owner++) {
      numbers[owner] = map.owner(new Owner("op" + owner, owner % 3 == 0 ? "" : "t" + owner, ""));
    }
    long poolBytes = 0;
    for (int region = random.nextInt(mostRegions + 1); region > 0; region--) {
      poolBytes += region(map, 1 + random.nextInt(mostChunks), numbers, timed);
    }
    return map.build(poolBytes + 256L * random.nextInt(8));
  }

  private long region(MemoryMapBuilder map, int chunks, int[] owners, boolean timed) {
    long[] bytes = random.longs(chunks, 1, 16).map(it -> it * 256).toArray();
    long regionBytes = 0;
    for (long ofChunk : bytes) {
      regionBytes += ofChunk;
    }
    map.region(address, regionBytes);
    boolean lastWasFree = false;
    for (long ofChunk : bytes) {
      if (random.nextInt(5) < 3 || (lastWasFree && !timed)) {
        int owner = random.nextInt(5) == 0 ? 0 : owners[random.nextInt(owners.length)];
        map.inUse(address, ofChunk, ofChunk - random.nextInt(256), nextId++, owner, random.nextInt(3));
        lastWasFree = false;
      } else {
        map.free(address, ofChunk, timed && random.nextBoolean() ? 1 + random.nextInt(9) : 0);
        lastWasFree = true;
      }
      address += ofChunk;
    }
    address += 4096;
    return regionBytes;
  }
}
