package dev.cairn.allocator.layer;

import dev.cairn.allocator.Owner;

/**
 * Bytes that somebody wrote outside a block.
 *
 * @param owner who holds the block; the culprit, most often
 * @param allocationId the grant
 * @param address the block's first byte
 * @param requestedBytes the block's length
 * @param offset the first such byte, from the block's first one: negative if before it
 * @param damagedBytes how many such bytes the red zones show
 */
public record Damage(Owner owner, long allocationId, long address, long requestedBytes, long offset,
  long damagedBytes) {
  @Override
  public String toString() {
    return "block was written outside its bounds: owner=%s id=%d address=0x%x requestedBytes=%d ".formatted(owner,
      allocationId, address, requestedBytes) + "offset=%d damagedBytes=%d".formatted(offset, damagedBytes);
  }
}
