package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.planner.inductor.PooledProgram.PooledBuffer;
import dev.cairn.runtime.memory.planner.inductor.PooledProgram.SymbolicPool;
import dev.cairn.runtime.memory.planner.inductor.TreeNode.Allocation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Inductor's {@code memory_plan}: every allocated buffer, with all that take over its bytes in place, gets a place in a
 * pool that is cut in time and space ({@link AllocationTree}). Decisions go by the sizes' hints; the answer's sizes and
 * offsets are symbolic. About n log n for usual programs, n times the tree's depth at worst.
 */
public final class LinePools {
  private final MemoryProgram program;
  private final BufferGroups groups;
  private final List<TreeLayout> layouts;
  /** For each group number. */
  private final PooledBuffer[] places;

  private LinePools(MemoryProgram program, PoolOptions options) {
    this.program = program;
    groups = new BufferGroups(program);
    AllocationPools pools = new AllocationPools(options);
    pools.allocateAll(groups.all().stream()
      .map(group -> new Allocation(group.number, group.buffer, group.live(), group.output)).toList());
    layouts = pools.layouts();
    places = new PooledBuffer[groups.all().size()];
    for (int pool = 0; pool < layouts.size(); pool++) {
      for (TreeLayout.PlacedAllocation place : layouts.get(pool).places()) {
        places[place.allocation().number] = place(place, pool);
      }
    }
  }

  private PooledBuffer place(TreeLayout.PlacedAllocation place, int pool) {
    BufferGroup group = groups.all().get(place.allocation().number);
    LiveRange live = group.live();
    return new PooledBuffer(group.buffer, (int) live.begin(), (int) live.end(), pool, place.offset(), group.output);
  }

  /** The program's pools, and its lines with all places in them. */
  public static PooledProgram plan(MemoryProgram program, PoolOptions options) {
    LinePools pools = new LinePools(program, options);
    return new PooledProgram(options.mode().plannerName(), pools.lines(),
      pools.layouts.stream()
        .map(pool -> new SymbolicPool(pool.device(), pool.bytes(), pool.countedBytes(), pool.baseAlignment())).toList(),
      List.of(pools.places));
  }

  private List<PooledLine> lines() {
    BitSet lasts = lastReturns();
    BitSet used = new BitSet();
    List<PooledLine> lines = new ArrayList<>();
    for (int i = 0; i < program.lines().size(); i++) {
      MemoryLine line = program.lines().get(i);
      Optional<PooledBuffer> place = groups.used(line).map(group -> places[group.number]);
      if (place.isEmpty()) {
        if (!program.isRemoved(line)) {
          lines.add(new PooledLine.Same(line));
        }
      } else if (line instanceof MemoryLine.Free(LineBuffer buffer)) {
        lines.add(new PooledLine.Return(buffer, place.get().pool(), lasts.get(i)));
      } else {
        int pool = place.get().pool();
        lines.add(new PooledLine.Take(place.get().buffer(), pool, place.get().offset(), !used.get(pool)));
        used.set(pool);
      }
    }
    return lines;
  }

  /**
   * For each line: whether it is the last that frees something in its pool, and nothing in the pool is live after it.
   */
  private BitSet lastReturns() {
    BitSet lasts = new BitSet();
    BitSet seen = new BitSet();
    for (int i = program.lines().size() - 1; i >= 0; i--) {
      MemoryLine line = program.lines().get(i);
      Optional<PooledBuffer> place = groups.used(line).map(group -> places[group.number]);
      if (line instanceof MemoryLine.Free && place.isPresent() && !seen.get(place.get().pool())) {
        seen.set(place.get().pool());
        lasts.set(i, layouts.get(place.get().pool()).end() <= groups.step(i));
      }
    }
    return lasts;
  }
}
