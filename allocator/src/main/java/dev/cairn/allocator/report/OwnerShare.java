package dev.cairn.allocator.report;

import dev.cairn.allocator.Owner;

/**
 * The blocks of one owner.
 *
 * @param owner the owner
 * @param blocks how many blocks
 * @param bytes bytes of their chunks
 * @param requestedBytes the requested bytes
 * @param sinceStep the step that allocated the oldest of them; 0 if unknown
 * @param sinceId the allocation id of the oldest
 */
public record OwnerShare(Owner owner, int blocks, long bytes, long requestedBytes, int sinceStep, long sinceId) {
  /** The age of the oldest block as text: {@code step 3, id 17}. */
  String since() {
    return sinceStep == 0 ? "id " + sinceId : "step " + sinceStep + ", id " + sinceId;
  }
}
