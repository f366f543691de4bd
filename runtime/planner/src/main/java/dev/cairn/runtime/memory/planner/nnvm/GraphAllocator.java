package dev.cairn.runtime.memory.planner.nnvm;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * Hands out storages and takes them back, as NNVM's class of this name: a request of some bytes is served by the
 * smallest free storage that is big enough and at most {@code range} times as big; else by the biggest that is too
 * small and at least {@code 1 / range} as big, which grows; else by a new one. Of free storages of equal size, the
 * one released first is the smallest. For one thread.
 */
final class GraphAllocator {
  private final long matchRange;
  private final List<Storage> storages = new ArrayList<>();
  private final NavigableSet<FreeStorage> free = new TreeSet<>();
  private long releases;

  /** One block of memory. */
  private static final class Storage {
    private final int device;
    private long bytes;

    Storage(int device, long bytes) {
      this.device = device;
      this.bytes = bytes;
    }
  }

  /** A free storage in the order of the list: by bytes, then by the time of its release. */
  private record FreeStorage(long bytes, long release, int storage) implements Comparable<FreeStorage> {
    /** Before all of so many bytes. */
    static FreeStorage before(long bytes) {
      return new FreeStorage(bytes, Long.MIN_VALUE, 0);
    }

    static FreeStorage after(long bytes) {
      return new FreeStorage(bytes, Long.MAX_VALUE, 0);
    }

    @Override
    public int compareTo(FreeStorage other) {
      int order = Long.compare(bytes, other.bytes);
      return order != 0 ? order : Long.compare(release, other.release);
    }
  }

  /** @param matchRange 0: every request gets a new storage */
  GraphAllocator(long matchRange) {
    this.matchRange = matchRange;
  }

  /** The id of a storage that is now in use and has at least so many bytes. */
  int request(long bytes, int device) {
    return request(bytes, device, storage -> true);
  }

  /** The same, passing over free storages that are not acceptable. */
  int request(long bytes, int device, IntPredicate acceptable) {
    if (matchRange != 0) {
      NavigableSet<FreeStorage> bigEnough = free.subSet(FreeStorage.before(bytes), true,
        FreeStorage.after(saturatedProduct(bytes, matchRange)), true);
      NavigableSet<FreeStorage> tooSmall = free
        .subSet(FreeStorage.before(bytes / matchRange), true, FreeStorage.before(bytes), false)
        .descendingSet();
      int taken = takeFirst(bigEnough, device, acceptable);
      taken = taken >= 0 ? taken : takeFirst(tooSmall, device, acceptable);
      if (taken >= 0) {
        storages.get(taken).bytes = Math.max(storages.get(taken).bytes, bytes);
        return taken;
      }
    }
    storages.add(new Storage(device, bytes));
    return storages.size() - 1;
  }

  /** Gives a storage back; does nothing for external and dynamic ones, which do not belong to this allocator. */
  void release(int storage) {
    if (storage == StorageId.EXTERNAL || storage == StorageId.DYNAMIC) {
      return;
    }
    if (storage < 0 || storage >= storages.size()) {
      throw new AssertionError("released what was never handed out: storage=" + storage);
    }
    free.add(new FreeStorage(storages.get(storage).bytes, releases++, storage));
  }

  /** Sizes of all storages, by id. */
  List<Long> storageBytes() {
    return storages.stream().map(it -> it.bytes).toList();
  }

  private int takeFirst(NavigableSet<FreeStorage> candidates, int device, IntPredicate acceptable) {
    for (Iterator<FreeStorage> iterator = candidates.iterator(); iterator.hasNext();) {
      int storage = iterator.next().storage();
      if (storages.get(storage).device == device && acceptable.test(storage)) {
        iterator.remove();
        return storage;
      }
    }
    return -1;
  }

  private static long saturatedProduct(long a, long b) {
    return a != 0 && b > Long.MAX_VALUE / a ? Long.MAX_VALUE : a * b;
  }
}
