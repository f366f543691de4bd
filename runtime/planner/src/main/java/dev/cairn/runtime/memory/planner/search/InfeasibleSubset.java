package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.MemoryProblem;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Why a problem without groups and conflicts does not fit: some of its buffers which by themselves don't, but would if
 * any one of them were left out. Found by leaving out one after the other.
 *
 * @param buffers indexes, ascending
 */
public record InfeasibleSubset(List<Integer> buffers) {
  public InfeasibleSubset {
    buffers = List.copyOf(buffers);
  }

  /** The subset for a capacity; nothing when all fit, or when the budget, for each of at most n + 1 searches, ends. */
  public static Optional<InfeasibleSubset> of(ExactSearch search, MemoryProblem problem, long capacityBytes,
    SearchBudget budget) {
    if (!problem.groups().isEmpty() || !problem.conflicts().isEmpty()) {
      throw new IllegalArgumentException("subsets of groups and conflicts are not looked for: groups=%d conflicts=%d"
        .formatted(problem.groups().size(), problem.conflicts().count()));
    }
    List<Integer> kept = IntStream.range(0, problem.size()).boxed().toList();
    if (!search.fit(problem, capacityBytes, budget).isImpossible(capacityBytes)) {
      return Optional.empty();
    }
    for (int i = 0; i < problem.size(); i++) {
      int left = i;
      List<Integer> fewer = kept.stream().filter(buffer -> buffer != left).toList();
      MemoryProblem rest = new MemoryProblem(fewer.stream().map(problem::buffer).toList());
      if (search.fit(rest, capacityBytes, budget).isImpossible(capacityBytes)) {
        kept = fewer;
      }
    }
    return Optional.of(new InfeasibleSubset(kept));
  }
}
