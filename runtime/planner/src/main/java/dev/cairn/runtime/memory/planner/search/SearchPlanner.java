package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.improve.ImprovingPlanner;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The best plan that there is a way to: the improving planner first, which comes close at any size; then exact search,
 * which often reaches the smallest plan of up to some thousand buffers and shows that it is. Its plans are never worse
 * than {@link dev.cairn.runtime.memory.planner.BestFitPortfolio}, unless the time ends first.
 *
 * @param steps that exact search may make; see {@link SearchBudget}
 * @param timeoutNanos how long planning may take, where it is limited; then a plan depends on the machine, else the
 *   same problem gets the same plan
 */
public record SearchPlanner(long steps, OptionalLong timeoutNanos) implements MemoryPlanner {
  /**
   * Takes some tens of milliseconds more than the improving planner, where the improving planner does not reach the
   * lower bound.
   */
  public static final SearchPlanner DEFAULT = new SearchPlanner(10_000_000, OptionalLong.empty());

  /** Beyond it exact search rarely helps, and the improving planner does better with the time. */
  private static final int MOST_FOR_EXACT = 3_000;
  /** Up to so many buffers, exact search gets all the time that is left. */
  private static final int FEW = 600;

  public SearchPlanner {
    if (steps < 0 || timeoutNanos.orElse(0) < 0) {
      throw new IllegalArgumentException("negative limit: steps=%d timeoutNanos=%s".formatted(steps, timeoutNanos));
    }
  }

  /** Limited by time alone. */
  public static SearchPlanner within(Duration timeout) {
    return new SearchPlanner(Long.MAX_VALUE, OptionalLong.of(timeout.toNanos()));
  }

  @Override
  public MemoryPlan plan(MemoryProblem problem) {
    return search(problem, Long.MAX_VALUE).plan();
  }

  /**
   * A plan, and what is known of smaller ones.
   *
   * @param capacityBytes {@code Long.MAX_VALUE} for the smallest plan; else the first that fits is enough
   */
  public SearchResult search(MemoryProblem problem, long capacityBytes) {
    long started = System.nanoTime();
    long bound = LowerBound.of(problem).bytes();
    MemoryPlan first = improving(problem).plan(problem);
    long enough = capacityBytes == Long.MAX_VALUE ? bound : Math.max(bound, capacityBytes);
    if (first.peakBytes() <= enough || problem.size() > MOST_FOR_EXACT) {
      return new SearchResult(first, bound, 0);
    }
    var exact = new ExactSearch(same -> first, SearchRules.ALL);
    long nanosLeft = timeoutNanos.isEmpty()
      ? Long.MAX_VALUE
      : Math.max(0, timeoutNanos.getAsLong() - (System.nanoTime() - started));
    SearchBudget left = new SearchBudget(steps, nanosLeft);
    boolean isOneDevice = problem.buffers().stream().mapToInt(it -> it.device()).distinct().count() <= 1;
    return capacityBytes == Long.MAX_VALUE || !isOneDevice
      ? exact.minimise(problem, left)
      : exact.fit(problem, capacityBytes, left);
  }

  /**
   * The moves get all of the time for large problems and half of it for middling ones; small problems get the usual
   * moves.
   */
  private ImprovingPlanner improving(MemoryProblem problem) {
    if (timeoutNanos.isEmpty()) {
      return ImprovingPlanner.DEFAULT;
    }
    long nanos = problem.size() > MOST_FOR_EXACT ? timeoutNanos.getAsLong() : timeoutNanos.getAsLong() / 2;
    long moves = problem.size() <= FEW ? ImprovingPlanner.DEFAULT.moves() : Long.MAX_VALUE;
    return new ImprovingPlanner(moves, OptionalLong.of(nanos));
  }
}
