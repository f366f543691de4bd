package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A planner's answer: pools, and a placement for each buffer of the problem. A value without checks: {@link
 * PlanValidator} checks it. Text form: a header, then one line for each pool and each buffer.
 *
 * @param planner the planner's name
 * @param pools by pool index
 * @param placements by buffer index
 */
public record MemoryPlan(String planner, List<Pool> pools, List<Placement> placements) {
  public MemoryPlan {
    pools = List.copyOf(pools);
    placements = List.copyOf(placements);
  }

  /** A plan with one pool, as large and aligned as the buffers at these offsets (by buffer index) need. */
  public static MemoryPlan inOneArena(String planner, MemoryProblem problem, long[] offsets) {
    MemoryPlan plan = inArenas(planner, problem, offsets);
    if (plan.pools.size() > 1) {
      throw new IllegalArgumentException("one arena for several devices: arenas=" + plan.pools.size());
    }
    return plan;
  }

  /**
   * A plan with one pool for each device with buffers, as large and aligned as the buffers at these offsets (by buffer
   * index) need. Without buffers, one empty pool.
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

  /** The bytes of the plan: of all pools together. */
  public long peakBytes() {
    return pools.stream().mapToLong(Pool::bytes).reduce(0, Math::addExact);
  }

  /** The base of each pool if the pools of a device follow each other, aligned, from 0. */
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
