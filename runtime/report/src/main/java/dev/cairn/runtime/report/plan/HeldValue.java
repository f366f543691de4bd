package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Lifetime;

/**
 * Bytes of a pool that a run held for one value: from the step that wrote them until after the last step that read
 * them.
 *
 * @param pool its number, from the owner's name that the allocator got
 * @param offset of the first byte, from the first byte of the block that the allocator granted for the pool
 * @param bytes at least 1
 * @param life in steps
 * @param node the step that wrote them; empty if no step of the run did
 * @param operator of that step; empty if there is none
 * @param scratch whether it is scratch memory of that step's kernel
 */
public record HeldValue(int pool, long offset, long bytes, Lifetime life, String node, String operator,
  boolean scratch) {
  /** The first byte after it. */
  long end() {
    return offset + bytes;
  }
}
