package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.PlacementUnit;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.ProblemFeature;
import java.util.List;
import java.util.Locale;

/**
 * Places buffers one after the other in one arena, each into a gap between those already placed that are held at the
 * same time. {@link #BY_SIZE} is the "greedy by size" of Pisarchyk and Lee ("Efficient Memory Management for Deep
 * Neural Net Inference", 2020) with the best-fit gap of XLA's heap simulator: largest first, then the longer held, then
 * the lower index; the smallest gap that is large enough, the lowest of equal ones. A buffer of no bytes lies at offset
 * 0. O(n²), for plain problems without allocation in the inner loop.
 *
 * <p>Honours every {@link ProblemFeature}, in an arena for each device: what is fixed is placed first, and a group as
 * one unit, ordered by the bytes and the steps of all its buffers.
 *
 * @param order which buffer is placed next
 * @param choice which gap it takes
 */
public record BestFitPlanner(PlacementOrder order, GapChoice choice) implements MemoryPlanner {
  /** Largest first into the smallest gap. */
  public static final BestFitPlanner BY_SIZE = new BestFitPlanner(PlacementOrder.SIZE, GapChoice.SMALLEST);

  /** For plans and tables: {@code best-fit-size}, {@code first-fit-start}. */
  public String name() {
    String fit = switch (choice) {
      case SMALLEST -> "best-fit-";
      case LOWEST -> "first-fit-";
    };
    return fit + order.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public MemoryPlan plan(MemoryProblem problem) {
    return ProblemFeature.of(problem).isEmpty() ? planPlain(problem) : planConstrained(problem);
  }

  /** The same plan as {@link #planConstrained} for a problem without features, several times as fast. */
  private MemoryPlan planPlain(MemoryProblem problem) {
    long[] offsets = new long[problem.size()];
    List<Lifetime> held = problem.held();
    PlacedBuffers placed = new PlacedBuffers();
    for (int index : order.sequence(problem)) {
      Buffer buffer = problem.buffer(index);
      long bytes = buffer.reservedBytes();
      if (bytes > 0) {
        offsets[index] = placed.find(held.get(index), bytes, buffer.alignment(), choice);
        placed.add(held.get(index), offsets[index], bytes);
      }
    }
    return MemoryPlan.inOneArena(name(), problem, offsets);
  }

  MemoryPlan planConstrained(MemoryProblem problem) {
    PlacedUnits placed = new PlacedUnits(problem);
    List<PlacementUnit> units = problem.units();
    units.forEach(unit -> unit.fixedBase().ifPresent(base -> placed.add(unit, base)));
    for (int index : order.sequence(problem, units)) {
      PlacementUnit unit = units.get(index);
      if (unit.fixedBase().isEmpty()) {
        placed.add(unit, placed.find(unit, choice));
      }
    }
    return MemoryPlan.inArenas(name(), problem, placed.offsets());
  }
}
