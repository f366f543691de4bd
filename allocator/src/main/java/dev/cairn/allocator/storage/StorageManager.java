package dev.cairn.allocator.storage;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.TrimPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The source of the runtime's memory: one allocator for each memory space, of whatever kind, chosen by the space. Safe
 * for use by many threads. Owns the allocators and closes them. MXNet's Storage.
 */
public final class StorageManager implements AutoCloseable {
  private final Map<MemorySpace, Allocator> bySpace = new LinkedHashMap<>();
  private final List<Allocator> open;

  /**
   * One that chooses among these, whose owner it becomes.
   *
   * @throws IllegalArgumentException when there are none, or two for one space; they are still the caller's then
   */
  public StorageManager(List<? extends Allocator> allocators) {
    if (allocators.isEmpty()) {
      throw new IllegalArgumentException("storage needs an allocator for at least one space");
    }
    for (Allocator allocator : allocators) {
      if (bySpace.putIfAbsent(allocator.space(), allocator) != null) {
        throw new IllegalArgumentException("two allocators for one space: space=" + allocator.space());
      }
    }
    this.open = new ArrayList<>(bySpace.values());
  }

  /** The spaces there is memory of, in the order given. */
  public List<MemorySpace> spaces() {
    return List.copyOf(bySpace.keySet());
  }

  /**
   * The allocator that serves a space.
   *
   * @throws IllegalArgumentException when no allocator does
   */
  public Allocator allocatorOf(MemorySpace space) {
    Allocator allocator = bySpace.get(space);
    if (allocator == null) {
      throw new IllegalArgumentException("no storage for that space: space=%s spaces=%s".formatted(space,
        bySpace.keySet()));
    }
    return allocator;
  }

  /**
   * Grants {@code bytes} bytes of a space, as {@link Allocator#allocate(long)} does.
   *
   * @throws OutOfMemory when they can't be had
   */
  public Block allocate(MemorySpace space, long bytes) {
    return allocate(space, AllocationRequest.of(bytes));
  }

  /**
   * Grants a request, in a space, as {@link Allocator#allocate(AllocationRequest)} does.
   *
   * @throws OutOfMemory when it can't be had
   */
  public Block allocate(MemorySpace space, AllocationRequest request) {
    return allocatorOf(space).allocate(request);
  }

  /** Takes back a block of any space, as {@link Allocator#free} does. */
  public void free(Block block) {
    allocatorOf(block.space()).free(block);
  }

  /**
   * Takes back a block and gives its memory to the source at once, where it has a region of its own. An allocator whose
   * blocks share regions can't do that: there it is a plain {@link #free}.
   */
  public void freeDirectly(Block block) {
    if (allocatorOf(block.space()) instanceof RegionAllocator regions) {
      regions.freeDirectly(block);
    } else {
      free(block);
    }
  }

  /**
   * Gives all that lies idle in a space back to its source: MXNet's ReleaseAll.
   *
   * @return bytes given back
   */
  public long trim(MemorySpace space) {
    return allocatorOf(space).trim(TrimPolicy.EVERYTHING);
  }

  /** Checks every allocator, as {@link Allocator#validate} does. */
  public void validate() {
    bySpace.values().forEach(Allocator::validate);
  }

  /**
   * Closes all allocators. When some can't be closed, the others are; closing may then be tried again.
   *
   * @throws IllegalStateException when blocks of any space are still held (nothing is changed then), or when closed
   *     before
   */
  @Override
  public synchronized void close() {
    if (open.isEmpty()) {
      throw new IllegalStateException("storage is closed: spaces=" + bySpace.keySet());
    }
    requireNothingHeld();
    RuntimeException failure = null;
    for (Allocator allocator : List.copyOf(open)) {
      try {
        allocator.close();
        open.remove(allocator);
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private record Holder(MemorySpace space, MemoryMap.ChunkEntry chunk) {}

  private void requireNothingHeld() {
    List<Allocator> busy = open.stream().filter(allocator -> allocator.stats().liveCount() > 0).toList();
    busy.stream().flatMap(StorageManager::holders).max(Comparator.comparingLong(holder -> holder.chunk.bytes()))
      .ifPresent(largest -> {
        String held = busy.stream().map(allocator -> "%s liveCount=%d bytesInUse=%d".formatted(allocator.space(),
          allocator.stats().liveCount(), allocator.stats().bytesInUse())).collect(Collectors.joining(", "));
        throw new IllegalStateException("blocks are still in use: %s; largest: space=%s owner=%s bytes=%d id=%d"
          .formatted(held, largest.space, largest.chunk.owner(), largest.chunk.bytes(), largest.chunk.allocationId()));
      });
  }

  private static Stream<Holder> holders(Allocator allocator) {
    return allocator.memoryMap().chunks().filter(MemoryMap.ChunkEntry::inUse)
      .map(chunk -> new Holder(allocator.space(), chunk));
  }
}
