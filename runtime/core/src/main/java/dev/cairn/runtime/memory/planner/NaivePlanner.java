package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.Alignment;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.Pool;
import java.util.ArrayList;
import java.util.List;

/** Shares no byte between buffers: the reference for tests, and the first thing to switch to in a bug hunt. */
public enum NaivePlanner implements MemoryPlanner {
  /** A pool for each buffer. Takes the problem's naive bytes. */
  POOLS("naive-pools") {
    @Override
    public MemoryPlan plan(MemoryProblem problem) {
      List<Pool> pools = new ArrayList<>();
      List<Placement> placements = new ArrayList<>();
      for (Buffer buffer : problem.buffers()) {
        placements.add(new Placement(pools.size(), 0));
        pools.add(new Pool(buffer.reservedBytes(), buffer.alignment()));
      }
      return new MemoryPlan(planner, pools, placements);
    }
  },

  /**
   * One arena, the buffers end to end in index order. Takes the naive bytes and the gaps between unequal alignments.
   */
  ARENA("naive-arena") {
    @Override
    public MemoryPlan plan(MemoryProblem problem) {
      long[] offsets = new long[problem.size()];
      long top = 0;
      for (int i = 0; i < offsets.length; i++) {
        offsets[i] = Alignment.up(top, problem.buffer(i).alignment());
        top = offsets[i] + problem.buffer(i).reservedBytes();
      }
      return MemoryPlan.inOneArena(planner, problem, offsets);
    }
  };

  final String planner;

  NaivePlanner(String planner) {
    this.planner = planner;
  }
}
