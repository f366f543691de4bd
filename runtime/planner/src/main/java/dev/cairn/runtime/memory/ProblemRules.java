package dev.cairn.runtime.memory;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The rules of a problem, so that every planner's address arithmetic is safe and there is a plan at all. */
final class ProblemRules {
  private ProblemRules() {}

  static void requireSane(MemoryProblem problem) {
    requireNames(problem);
    requireSumsFit(problem);
    requireIndexes(problem);
    boolean fixed = problem.buffers().stream().anyMatch(buffer -> buffer.fixedOffset().isPresent());
    if (fixed || !problem.groups().isEmpty()) {
      requireFixedApart(problem, problem.units());
    }
  }

  private static void requireNames(MemoryProblem problem) {
    Set<String> names = new HashSet<>();
    for (Buffer buffer : problem.buffers()) {
      if (!names.add(buffer.name())) {
        throw new IllegalArgumentException("two buffers with one name: buffer=" + buffer.name());
      }
    }
  }

  private static void requireSumsFit(MemoryProblem problem) {
    long total = 0;
    long highest = 0;
    for (Buffer buffer : problem.buffers()) {
      // The sum assumes the worst padding before each buffer, and all buffers above the fixed ones.
      long worstBytes = buffer.reservedBytes() + (buffer.alignment() - 1);
      long fixed = buffer.fixedOffset().orElse(0);
      if (fixed < 0) {
        throw new IllegalArgumentException(
          "negative fixed offset: buffer=%s offset=%d".formatted(buffer.name(), fixed));
      }
      highest = Math.max(highest, fixed);
      if (worstBytes < 0 || total > Long.MAX_VALUE - worstBytes || highest > Long.MAX_VALUE - worstBytes - total) {
        throw new IllegalArgumentException("bytes of the problem overflow: buffer=%s bytes=%d before=%d"
          .formatted(buffer.name(), buffer.bytes(), total) + (highest == 0 ? "" : " fixedOffset=" + highest));
      }
      total += worstBytes;
    }
  }

  private static void requireIndexes(MemoryProblem problem) {
    Set<Integer> grouped = new HashSet<>();
    for (ContiguousGroup group : problem.groups()) {
      for (int buffer : group.buffers()) {
        if (buffer < 0 || buffer >= problem.size() || !grouped.add(buffer)) {
          throw new IllegalArgumentException("group with an unknown or a shared buffer: buffer=%d buffers=%d group=%s"
            .formatted(buffer, problem.size(), group.buffers()));
        }
      }
    }
    if (problem.conflicts().limit() > problem.size()) {
      throw new IllegalArgumentException("conflict of an unknown buffer: buffer=%d buffers=%d"
        .formatted(problem.conflicts().limit() - 1, problem.size()));
    }
  }

  private static void requireFixedApart(MemoryProblem problem, List<PlacementUnit> units) {
    long[] offsets = new long[problem.size()];
    units.forEach(unit -> unit.fixedBase().ifPresent(base -> unit.place(base, offsets)));
    int[] byOffset = units.stream().filter(unit -> unit.fixedBase().isPresent())
      .flatMapToInt(unit -> IntStream.of(unit.buffers())).boxed()
      .sorted(Comparator.comparingLong(i -> offsets[i])).mapToInt(Integer::intValue).toArray();
    for (int i = 0; i < byOffset.length; i++) {
      int low = byOffset[i];
      long top = offsets[low] + problem.buffer(low).reservedBytes();
      for (int j = i + 1; j < byOffset.length && offsets[byOffset[j]] < top; j++) {
        if (problem.conflicts(low, byOffset[j])) {
          throw new IllegalArgumentException("fixed offsets overlap: first=%s second=%s"
            .formatted(problem.buffer(low), problem.buffer(byOffset[j])));
        }
      }
    }
  }
}
