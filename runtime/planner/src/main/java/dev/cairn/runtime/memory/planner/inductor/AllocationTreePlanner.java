package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.ProblemFeature;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import dev.cairn.runtime.memory.planner.inductor.TreeNode.Allocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Pools cut in time and space by turns, as {@code memory_plan} of PyTorch's Inductor does ({@link LinePools}). A buffer
 * that wants a greater alignment than the options' gets it. Holds buffers through their gaps, and the earlier buffer of
 * a pair in conflict until the later one begins; refuses fixed offsets and groups.
 *
 * @param options which buffers share a pool, and the alignment inside pools
 */
public record AllocationTreePlanner(PoolOptions options) implements MemoryPlanner {
  /** Inductor's default mode, with no alignment but the buffers' own. */
  public static final AllocationTreePlanner INTERMEDIATES = of(PoolMode.INTERMEDIATES);
  /** From so many bytes on, sums of sizes and paddings might overflow: then nothing is shared. */
  private static final long TOO_MANY_BYTES = Long.MAX_VALUE / 8;

  /** One of Inductor's modes, with no alignment but the buffers' own. */
  public static AllocationTreePlanner of(PoolMode mode) {
    return new AllocationTreePlanner(new PoolOptions(mode, 1));
  }

  /** For plans and tables. */
  public String name() {
    return options.mode().plannerName();
  }

  @Override
  public MemoryPlan plan(MemoryProblem problem) {
    ProblemFeature.requireOnly(name(), problem, ProblemFeature.GAPS, ProblemFeature.DEVICES, ProblemFeature.CONFLICTS);
    long strictest = Math.max(options.alignment(),
      problem.buffers().stream().mapToLong(Buffer::alignment).max().orElse(1));
    if (problem.unsharedBytes() > TOO_MANY_BYTES || strictest > TOO_MANY_BYTES / (problem.size() + 1)) {
      return NaivePlanner.ARENA.plan(problem);
    }
    AllocationPools filling = new AllocationPools(options);
    filling.allocateAll(allocations(problem));
    List<Pool> pools = new ArrayList<>();
    Placement[] placements = new Placement[problem.size()];
    for (TreeLayout layout : filling.layouts()) {
      for (TreeLayout.PlacedAllocation place : layout.places()) {
        placements[place.allocation().number] = new Placement(pools.size(), place.offset().at(Map.of()));
      }
      pools.add(
        new Pool(layout.bytes().at(Map.of()), layout.baseAlignment(), Integer.parseInt(layout.device())));
    }
    return new MemoryPlan(name(), pools, List.of(placements));
  }

  /** In index order; outputs are live for one step more than the rest, as upstream's are. */
  static List<Allocation> allocations(MemoryProblem problem) {
    List<Lifetime> held = problem.held();
    List<Allocation> allocations = new ArrayList<>();
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      long end = Math.max(held.get(i).end() + (buffer.output() ? 1L : 0), endOfConflicts(problem, held, i));
      allocations
        .add(new Allocation(i, ProblemLines.buffer(buffer), new LiveRange(held.get(i).first(), end), buffer.output()));
    }
    return allocations;
  }

  /**
   * One past the beginning of the last buffer that begins later and conflicts: upstream knows no conflicts, but keeps
   * apart what is live at one step.
   */
  private static long endOfConflicts(MemoryProblem problem, List<Lifetime> held, int buffer) {
    return problem.conflicts().with(buffer)
      .filter(other -> held.get(other).first() >= held.get(buffer).first())
      .mapToLong(other -> held.get(other).first() + 1L).max().orElse(0);
  }
}
