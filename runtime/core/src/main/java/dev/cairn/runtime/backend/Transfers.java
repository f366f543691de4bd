package dev.cairn.runtime.backend;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.device.Stream;
import java.lang.foreign.MemorySegment;

/** How bytes get from the host's memory to that of a device's kernels, and back. Thread-safe. */
public interface Transfers {
  /**
   * The requested bytes of a block of the device's memory, as views for kernels have them. Where the host has no access
   * it is a range of addresses that must not be read here.
   */
  MemorySegment segment(Block block);

  /** Fills memory of the device from any memory of the host, and returns when that is done. */
  void upload(MemorySegment target, MemorySegment source);

  /** Fills any memory of the host from the device's, and returns when that is done. */
  void download(MemorySegment target, MemorySegment source);

  /** Where memory of the host comes from that {@link #enqueueUpload} and {@link #enqueueDownload} take. */
  Allocator staging();

  /** Puts a copy to the device at the end of a stream; the source is page-locked, and stays as it is. */
  void enqueueUpload(Stream stream, MemorySegment target, MemorySegment source);

  /** Puts a copy between two ranges of the device's memory at the end of a stream. */
  void enqueueCopy(Stream stream, MemorySegment target, MemorySegment source);

  /** Puts a copy from the device at the end of a stream; the target is page-locked, as all of {@link #staging} is. */
  void enqueueDownload(Stream stream, MemorySegment target, MemorySegment source);
}
