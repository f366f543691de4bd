package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * For large problems: greedy passes, then a search that lowers the top of the best of them by moving the few buffers
 * that stick out, until it meets the lower bound or has made its moves. Its plans are never worse than {@link
 * BestFitPortfolio#ALL}, whose every pass it makes too, but for passes that a time limit cut off. Without a time limit
 * the same problem gets the same plan; with one, it depends on the machine.
 *
 * <p>Devices are planned one after the other, each with the same moves and an equal share of the time. Honours every
 * {@link dev.cairn.runtime.memory.ProblemFeature}; but a problem with contiguous groups gets the portfolio's plan as it
 * is.
 *
 * @param moves how often one buffer may be placed again, at least 0
 * @param timeoutNanos how long planning may take, where it is limited; one greedy pass is always made
 */
public record ImprovingPlanner(long moves, OptionalLong timeoutNanos) implements MemoryPlanner {
  /** The default effort: some milliseconds for a thousand buffers. */
  public static final ImprovingPlanner DEFAULT = new ImprovingPlanner(2_000);

  private static final String NAME = "improving";

  public ImprovingPlanner {
    if (moves < 0 || timeoutNanos.orElse(0) < 0) {
      throw new IllegalArgumentException("negative limit: moves=%d timeoutNanos=%s".formatted(moves, timeoutNanos));
    }
  }

  /** Limited by moves alone. */
  public ImprovingPlanner(long moves) {
    this(moves, OptionalLong.empty());
  }

  /** Limited by time alone. */
  public static ImprovingPlanner within(Duration timeout) {
    return new ImprovingPlanner(Long.MAX_VALUE, OptionalLong.of(timeout.toNanos()));
  }

  @Override
  public MemoryPlan plan(MemoryProblem problem) {
    if (!problem.groups().isEmpty()) {
      return BestFitPortfolio.ALL.plan(problem);
    }
    long[] offsets = problem.buffers().stream().mapToLong(buffer -> buffer.fixedOffset().orElse(0)).toArray();
    SortedMap<Integer, LowerBound> bounds = LowerBound.byDevice(problem);
    bounds.forEach((device, bound) -> {
      Rectangles rectangles = Rectangles.of(problem, device, bound.bytes());
      if (rectangles.count() > 0) {
        rectangles.writeByBuffer(new Planning(problem, rectangles, budget(bounds.size())).offsets(), offsets);
      }
    });
    return MemoryPlan.inArenas(NAME, problem, offsets);
  }

  private MoveBudget budget(int devices) {
    return timeoutNanos.isPresent()
      ? MoveBudget.of(moves, timeoutNanos.getAsLong() / devices)
      : MoveBudget.ofMoves(moves);
  }
}
