package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.PoolEvent;
import java.util.List;

/** Makes maps of a heap: takes a snapshot with the lock held, and reads it without. */
final class MapMaker {
  private final HeapLock lock;
  private final BfcHeap heap;
  private final HeapReader reader;
  private final MemorySpace space;

  MapMaker(HeapLock lock, BfcHeap heap, HeapReader reader, MemorySpace space) {
    this.lock = lock;
    this.heap = heap;
    this.reader = reader;
    this.space = space;
  }

  /** The map of this moment. */
  MemoryMap map() {
    return map(lock.with(reader::snapshot));
  }

  /** A heap when a request was refused, and what it did last before. */
  private record Refusal(List<PoolEvent> lastEvents, HeapSnapshot heap) {}

  /** Why a request can't be met. Called without the lock: the map of a million chunks takes a while. */
  OutOfMemory refusal(AllocationRequest request, AllocationListener listener) {
    Refusal refusal = lock.with(() -> {
      // First of all: what the listener throws must leave no snapshot behind.
      List<PoolEvent> lastEvents = listener.lastEvents();
      heap.usage.refused();
      return new Refusal(lastEvents, reader.snapshot());
    });
    return new OutOfMemory(request, Demand.roundedBytes(request), map(refusal.heap))
      .withLastEvents(refusal.lastEvents);
  }

  private MemoryMap map(HeapSnapshot snapshot) {
    boolean whole = false;
    MemoryMap map;
    try {
      map = snapshot.memoryMap(space);
      whole = true;
    } finally {
      if (!whole) {
        lock.with(this::thaw);
      }
    }
    // Where the Java heap had no room for the copy of a page, the map is made again, with the lock.
    return lock.with(() -> {
      boolean torn = heap.chunks.isTorn(snapshot.chunks());
      thaw();
      return torn ? mapAtOnce() : map;
    });
  }

  private MemoryMap mapAtOnce() {
    HeapSnapshot snapshot = reader.snapshot();
    try {
      return snapshot.memoryMap(space);
    } finally {
      thaw();
    }
  }

  private boolean thaw() {
    heap.chunks.thaw();
    return true;
  }
}
