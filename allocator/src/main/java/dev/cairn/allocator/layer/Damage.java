package dev.cairn.allocator.layer;

import dev.cairn.allocator.Owner;

/**
 * Bytes that were written outside a block.
 *
 * @param owner the block's owner, most often the culprit
 * @param allocationId the block's allocation id
 * @param address the block's first byte
 * @param requestedBytes the block's length
 * @param offset the first damaged byte, relative to the block's first byte; negative if before it
 * @param damagedBytes how many bytes of the red zones are damaged
 */
public record Damage(Owner owner, long allocationId, long address, long requestedBytes, long offset,
  long damagedBytes) {
  @Override
  public String toString() {
    return "block was written outside its bounds: owner=%s id=%d address=0x%x requestedBytes=%d ".formatted(owner,
      allocationId, address, requestedBytes) + "offset=%d damagedBytes=%d".formatted(offset, damagedBytes);
  }
}
