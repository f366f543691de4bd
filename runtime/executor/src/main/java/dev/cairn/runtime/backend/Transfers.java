package dev.cairn.runtime.backend;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.device.Stream;
import java.lang.foreign.MemorySegment;

/** Copies bytes between host memory and device memory. Thread-safe. */
public interface Transfers {
  /**
   * A block of device memory as a segment of its requested length, for views that kernels take. If the host has no
   * access to the memory, the segment is only a range of addresses, which Java code must not read.
   */
  MemorySegment segment(Block block);

  /** Copies any host memory to the device, and returns when the copy has ended. */
  void upload(MemorySegment target, MemorySegment source);

  /** Copies device memory to any host memory, and returns when the copy has ended. */
  void download(MemorySegment target, MemorySegment source);

  /**
   * Copies from another device's memory without the host, and returns when the copy has ended. It returns false, and
   * has copied nothing, if there is no direct way.
   */
  default boolean copyFromPeer(Transfers peer, MemorySegment target, MemorySegment source) {
    return false;
  }

  /** Allocates the host memory that {@link #enqueueUpload} and {@link #enqueueDownload} take. */
  Allocator staging();

  /** Adds a copy to the device to a stream. The source is page-locked and must not change until the copy has ended. */
  void enqueueUpload(Stream stream, MemorySegment target, MemorySegment source);

  /** Adds a copy between two ranges of device memory to a stream. */
  void enqueueCopy(Stream stream, MemorySegment target, MemorySegment source);

  /** Adds a copy from the device to a stream. The target is page-locked, as all of {@link #staging} is. */
  void enqueueDownload(Stream stream, MemorySegment target, MemorySegment source);

  /** Adds the writing of one boolean to a stream. */
  void enqueueFlag(Stream stream, MemorySegment target, boolean value);

  /** Adds the writing of one integer of 64 bits to a stream. */
  void enqueueNumber(Stream stream, MemorySegment target, long value);
}
