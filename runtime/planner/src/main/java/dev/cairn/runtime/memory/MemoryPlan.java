package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A planner's answer: pools, and a placement for each buffer of the problem. A value that checks nothing: ask
 * {@link PlanValidator}. Text form: a header, one line a pool, one line a buffer.
 *
 * @param planner name of the planner that made it
 * @param pools by pool index
 * @param placements by buffer index
 */
public record MemoryPlan(String planner, List<Pool> pools, List<Placement> placements) {
  public MemoryPlan {
    pools = List.copyOf(pools);
    placements = List.copyOf(placements);
  }

  /** A plan of one pool, just high and aligned enough for the buffers at these offsets (by buffer index). */
  public static MemoryPlan inOneArena(String planner, MemoryProblem problem, long[] offsets) {
    MemoryPlan plan = inArenas(planner, problem, offsets);
    if (plan.pools.size() > 1) {
      throw new IllegalArgumentException("one arena for several devices: arenas=" + plan.pools.size());
    }
    return plan;
  }

  /**
   * A plan of one pool for each device that has buffers, by device, just high and aligned enough for the buffers at
   * these offsets (by buffer index). One pool of no bytes when there are no buffers.
   */
  public static MemoryPlan inArenas(String planner, MemoryProblem problem, long[] offsets) {
    SortedMap<Integer, Pool> arenas = new TreeMap<>();
    for (int i = 0; i < offsets.length; i++) {
      Buffer buffer = problem.buffer(i);
      Pool needed = new Pool(offsets[i] + buffer.reservedBytes(), buffer.alignment(), buffer.device());
      arenas.merge(buffer.device(), needed, (a, b) -> new Pool(Math.max(a.bytes(), b.bytes()),
        Math.max(a.alignment(), b.alignment()), a.device()));
    }
    if (arenas.isEmpty()) {
      arenas.put(0, new Pool(0, 1));
    }
    List<Integer> devices = List.copyOf(arenas.keySet());
    List<Placement> placements = new ArrayList<>(offsets.length);
    for (int i = 0; i < offsets.length; i++) {
      placements.add(new Placement(Collections.binarySearch(devices, problem.buffer(i).device()), offsets[i]));
    }
    return new MemoryPlan(planner, List.copyOf(arenas.values()), placements);
  }

  /** Bytes of all pools together: what the plan takes. */
  public long peakBytes() {
    return pools.stream().mapToLong(Pool::bytes).reduce(0, Math::addExact);
  }

  /** By pool, where it begins when the pools of each device lie one after the other, aligned, from 0 on. */
  public long[] basesInArenas() {
    Map<Integer, Long> tops = new HashMap<>();
    long[] bases = new long[pools.size()];
    for (int i = 0; i < bases.length; i++) {
      Pool pool = pools.get(i);
      bases[i] = OffsetAlignment.up(tops.getOrDefault(pool.device(), 0L), pool.alignment());
      tops.put(pool.device(), Math.addExact(bases[i], pool.bytes()));
    }
    return bases;
  }

  /** The text form with the problem's buffers in full. */
  public String text(MemoryProblem problem) {
    StringBuilder text = header();
    for (int i = 0; i < placements.size(); i++) {
      String buffer = i < problem.size() ? problem.buffer(i).toString() : "no such buffer " + i;
      line(text, buffer, placements.get(i));
    }
    return text.toString();
  }

  @Override
  public String toString() {
    StringBuilder text = header();
    for (int i = 0; i < placements.size(); i++) {
      line(text, "buffer " + i, placements.get(i));
    }
    return text.toString();
  }

  private StringBuilder header() {
    StringBuilder text = new StringBuilder("plan by %s: %d buffers in %d pools".formatted(planner, placements.size(),
      pools.size()));
    for (int i = 0; i < pools.size(); i++) {
      Pool pool = pools.get(i);
      text.append("\npool %d: %d bytes align=%d".formatted(i, pool.bytes(), pool.alignment()))
        .append(pool.device() == 0 ? "" : " device=" + pool.device());
    }
    return text;
  }

  private static void line(StringBuilder text, String buffer, Placement placement) {
    text.append('\n').append(buffer).append(" at ").append(placement.pool()).append('+').append(placement.offset());
  }
}
