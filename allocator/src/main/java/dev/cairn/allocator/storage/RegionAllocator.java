package dev.cairn.allocator.storage;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;

/**
 * An allocator in which every block has a region of its own, so that a block can go back to the source past all
 * pooling: MXNet's DirectFree.
 */
public interface RegionAllocator extends Allocator {
  /**
   * Takes back a block, as {@link #free} does, and gives its region to the source at once. The caller makes sure that
   * the memory is no longer used.
   *
   * @throws IllegalArgumentException as {@link #free}
   * @throws IllegalStateException when closed, or when the source won't take it; the block is still held then
   */
  void freeDirectly(Block block);
}
