package dev.cairn.runtime.memory.planner.search;

import java.util.Comparator;
import java.util.List;

/**
 * The parts of one device: the highest is improved first, the others only as far as it got. Not for several threads.
 */
final class DeviceSearch {
  private final List<Part> parts;
  private final SearchRules rules;
  private final long[] offsets;
  private long proven;

  /** @param offsets a plan, by buffer index, that is improved in place */
  DeviceSearch(List<Part> parts, SearchRules rules, long[] offsets) {
    this.rules = rules;
    this.offsets = offsets;
    this.parts = parts.stream().sorted(Comparator.comparingLong((Part part) -> -part.height(offsets))).toList();
    proven = parts.stream().mapToLong(Part::bound).max().orElse(0);
  }

  /** The smallest plan, as far as the limit goes. */
  void minimise(SearchLimit limit) {
    long target = proven;
    for (Part part : parts) {
      if (part.height(offsets) > target) {
        PartSearch search = new PartSearch(part, rules, limit, offsets);
        search.minimise(target);
        proven = Math.max(proven, search.proven());
        target = Math.max(target, search.height());
      }
    }
  }

  /** A plan within the capacity, unless the limit comes first, or one part shows that there is none. */
  void fit(long capacity, SearchLimit limit) {
    for (Part part : parts) {
      if (part.height(offsets) > capacity && proven <= capacity) {
        PartSearch search = new PartSearch(part, rules, limit, offsets);
        search.fit(capacity);
        proven = Math.max(proven, search.proven());
      }
    }
  }

  /** No plan is lower. */
  long proven() {
    return proven;
  }
}
