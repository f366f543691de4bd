package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.ProblemFeature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Hands whole buffers over, as {@code memory_plan_reuse} of PyTorch's Inductor does ({@link LineReuse}): a buffer takes
 * over the pool of the one that died last among those with the same reuse key, device, bytes and alignment, else it
 * gets a pool of its own. Every offset is 0. Outputs and buffers that may not be reused are never handed over. Within a
 * step, all goes by index, where upstream frees by the buffers' names.
 *
 * <p>Passes by those whose pool has served a buffer in conflict with the new one; holds buffers through their gaps;
 * refuses fixed offsets and groups.
 *
 * @param rules which takeovers are allowed; every key here has one alignment and stream
 */
public record ReusePlanner(ReuseRules rules) implements MemoryPlanner {
  /** The plain method. */
  public static final ReusePlanner PLAIN = new ReusePlanner(ReuseRules.PLAIN);
  /** A planner with the newer peak test. */
  public static final ReusePlanner PEAK_TESTED = new ReusePlanner(ReuseRules.PEAK_TESTED);

  /** For plans and tables. */
  public String name() {
    return rules == ReuseRules.PEAK_TESTED ? "reuse-peak-test" : "reuse";
  }

  @Override
  public MemoryPlan plan(MemoryProblem problem) {
    ProblemFeature.requireOnly(name(), problem, ProblemFeature.GAPS, ProblemFeature.DEVICES, ProblemFeature.CONFLICTS);
    List<Pool> pools = new ArrayList<>();
    Map<String, Integer> poolOf = new HashMap<>();
    Map<String, Buffer> byName = new HashMap<>();
    problem.buffers().forEach(buffer -> byName.put(buffer.name(), buffer));
    for (MemoryLine line : LineReuse.plan(ProblemLines.of(problem), rules,
      new ConflictFreeTakeovers(problem))) {
      switch (line) {
        case MemoryLine.Allocate(LineBuffer named) -> {
          poolOf.put(named.name(), pools.size());
          Buffer buffer = of(named.name(), byName);
          pools.add(new Pool(buffer.reservedBytes(), buffer.alignment(), buffer.device()));
        }
        case MemoryLine.Reuse(LineBuffer from, LineBuffer to) -> poolOf.put(to.name(), of(from.name(), poolOf));
        case MemoryLine.Free _,MemoryLine.Kernel _,MemoryLine.EnterSubgraph _,MemoryLine.ExitSubgraph _ -> {}
      }
    }
    List<Placement> placements = problem.buffers().stream()
      .map(buffer -> new Placement(of(buffer.name(), poolOf), 0)).toList();
    return new MemoryPlan(name(), pools, placements);
  }

  private static <T> T of(String buffer, Map<String, T> known) {
    T value = known.get(buffer);
    if (value == null) {
      throw new AssertionError("a line names a buffer that has none: buffer=" + buffer);
    }
    return value;
  }
}
