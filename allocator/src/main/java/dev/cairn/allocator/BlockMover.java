package dev.cairn.allocator;

/**
 * Moves the contents of blocks for an allocator that compacts its memory. The owner of the blocks implements it, and
 * says which of them may move. The allocator calls it with its lock held: do not allocate or free here.
 */
public interface BlockMover {
  /**
   * Whether this block may move now. False for blocks that the mover does not know, for those that a caller uses or has
   * the address of, and for those that need more than the usual alignment of 256 bytes.
   */
  boolean isMovable(long allocationId);

  /**
   * Copies the contents of a block to its new place, and returns true when the copy has ended and the owner uses the
   * new place from now on. Returns false, and has changed nothing, if the block cannot move after all. If it throws,
   * the block stays where it was.
   *
   * @param to the block in its new place, with the same handle and allocation id. The new range may overlap the old one
   *   and then begins below it. The owner frees this block instead of the old one
   */
  boolean move(Block to);
}
