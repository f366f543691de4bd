package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.PlacementUnit;
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

/** Shares no byte between buffers, unless fixed: the reference for tests, and what to switch to first in a bug hunt. */
public enum NaivePlanner implements MemoryPlanner {
  /** A pool for each buffer. Takes the problem's naive bytes. Refuses fixed offsets and groups. */
  POOLS("naive-pools") {
    @Override
    public MemoryPlan plan(MemoryProblem problem) {
      ProblemFeature.requireOnly(planner, problem, ProblemFeature.GAPS, ProblemFeature.DEVICES,
        ProblemFeature.CONFLICTS);
      List<Pool> pools = new ArrayList<>();
      List<Placement> placements = new ArrayList<>();
      for (Buffer buffer : problem.buffers()) {
        placements.add(new Placement(pools.size(), 0));
        pools.add(new Pool(buffer.reservedBytes(), buffer.alignment(), buffer.device()));
      }
      return new MemoryPlan(planner, pools, placements);
    }
  },

  /**
   * An arena for each device, what is fixed where it must be and the other buffers end to end above it, in index order.
   * Takes the naive bytes, what is free between the fixed, and the gaps between unequal alignments.
   */
  ARENA("naive-arena") {
    @Override
    public MemoryPlan plan(MemoryProblem problem) {
      long[] offsets = new long[problem.size()];
      Map<Integer, Long> tops = new HashMap<>();
      List<PlacementUnit> units = problem.units();
      for (PlacementUnit unit : units) {
        unit.fixedBase().ifPresent(base -> {
          unit.place(base, offsets);
          tops.merge(unit.device(), base + unit.bytes(), Math::max);
        });
      }
      for (PlacementUnit unit : units) {
        if (unit.fixedBase().isEmpty()) {
          long base = unit.lowestBase(tops.getOrDefault(unit.device(), 0L));
          unit.place(base, offsets);
          tops.put(unit.device(), base + unit.bytes());
        }
      }
      return MemoryPlan.inArenas(planner, problem, offsets);
    }
  };

  final String planner;

  NaivePlanner(String planner) {
    this.planner = planner;
  }
}
