package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pools cut in time and space by turns, as {@code memory_plan} of PyTorch's Inductor does ({@link LinePools}). A buffer
 * that wants a greater alignment than the options' gets it.
 *
 * @param options which buffers share a pool, and the alignment inside pools
 */
public record AllocationTreePlanner(PoolOptions options) implements MemoryPlanner {
  /** Inductor's default mode, with no alignment but the buffers' own. */
  public static final AllocationTreePlanner INTERMEDIATES = new AllocationTreePlanner(
    new PoolOptions(PoolMode.INTERMEDIATES, 1));
  /** From so many bytes on, sums of sizes and paddings might overflow: then nothing is shared. */
  private static final long TOO_MANY_BYTES = Long.MAX_VALUE / 8;

  @Override
  public MemoryPlan plan(MemoryProblem problem) {
    long strictest = Math.max(options.alignment(),
      problem.buffers().stream().mapToLong(Buffer::alignment).max().orElse(1));
    if (problem.naiveBytes() > TOO_MANY_BYTES || strictest > TOO_MANY_BYTES / (problem.size() + 1)) {
      return NaivePlanner.ARENA.plan(problem);
    }
    PooledProgram pooled = LinePools.plan(ProblemLines.of(problem), options);
    Map<String, PooledProgram.Place> byName = new HashMap<>();
    pooled.places().forEach(place -> byName.put(place.buffer().name(), place));
    List<Pool> pools = new ArrayList<>();
    pooled.pools().forEach(pool -> pools.add(new Pool(pool.bytes().at(Map.of()), pool.alignment())));
    List<Placement> placements = problem.buffers().stream().map(buffer -> {
      PooledProgram.Place place = byName.get(buffer.name());
      return new Placement(place.pool(), place.offset().at(Map.of()));
    }).toList();
    return new MemoryPlan(pooled.planner(), pools, placements);
  }
}
