package dev.cairn.allocator.report;

import dev.cairn.allocator.Owner;

/**
 * What one owner holds.
 *
 * @param owner who
 * @param blocks how many blocks
 * @param bytes bytes of their chunks
 * @param requestedBytes what was asked for
 * @param sinceStep the step in which the oldest of them was granted; 0 where no steps are told
 * @param sinceId the allocation id of the oldest
 */
public record OwnerShare(Owner owner, int blocks, long bytes, long requestedBytes, int sinceStep, long sinceId) {
  /** Since when, for people: {@code step 3, id 17}. */
  String since() {
    return sinceStep == 0 ? "id " + sinceId : "step " + sinceStep + ", id " + sinceId;
  }
}
