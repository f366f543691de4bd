package dev.cairn.runtime.report.dump;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import java.util.Optional;

/**
 * The contents of a dump: the memory of one allocator at one moment. A value.
 *
 * @param map every region and chunk, and the figures
 * @param failure the refused request that the dump was made for, if it was; its map is {@code map}
 */
public record MemorySnapshot(MemoryMap map, Optional<OutOfMemory> failure) {
  /** Checks that both are of the same moment. */
  public MemorySnapshot {
    if (failure.isPresent() && failure.get().memoryMap() != map) {
      throw new IllegalArgumentException("the failure has another map: space=%s of failure=%s".formatted(map.space(),
        failure.get().memoryMap().space()));
    }
  }

  /** The memory at the moment when a request was refused. */
  public static MemorySnapshot of(OutOfMemory failure) {
    return new MemorySnapshot(failure.memoryMap(), Optional.of(failure));
  }

  /** The memory at any moment. */
  public static MemorySnapshot of(MemoryMap map) {
    return new MemorySnapshot(map, Optional.empty());
  }
}
