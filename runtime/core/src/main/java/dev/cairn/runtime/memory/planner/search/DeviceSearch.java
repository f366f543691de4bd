package dev.cairn.runtime.memory.planner.search;

import java.util.Comparator;
import java.util.List;

/** The parts of one device: the highest is improved first, the others only as far as it got. Not for several threads. */
final class DeviceSearch {
  private final List<Part> parts;
  private final SearchRules rules;
  private final long[] offsets;
  private long steps;
  private long proven;

  /** @param offsets a plan, by buffer index, that is improved in place */
  DeviceSearch(List<Part> parts, SearchRules rules, long[] offsets) {
    this.rules = rules;
    this.offsets = offsets;
    this.parts = parts.stream().sorted(Comparator.comparingLong((Part part) -> -part.height(offsets))).toList();
    proven = parts.stream().mapToLong(Part::bound).max().orElse(0);
  }

  /** @param capacity what to fit, or -1 for the smallest */
  void run(long capacity, SearchLimit limit) {
    long target = Math.max(capacity, proven);
    for (Part part : parts) {
      if (part.height(offsets) > target && !(capacity >= 0 && proven > capacity)) {
        PartSearch search = new PartSearch(part, rules, offsets);
        search.improve(target, capacity >= 0, limit.after(steps));
        steps += search.steps();
        proven = Math.max(proven, search.proven());
        target = Math.max(target, capacity >= 0 ? capacity : search.height());
      }
    }
  }

  long steps() {
    return steps;
  }

  /** No plan is lower. */
  long proven() {
    return proven;
  }
}
