package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.List;

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
    long bytes = 0;
    long alignment = 1;
    List<Placement> placements = new ArrayList<>(offsets.length);
    for (int i = 0; i < offsets.length; i++) {
      bytes = Math.max(bytes, offsets[i] + problem.buffer(i).reservedBytes());
      alignment = Math.max(alignment, problem.buffer(i).alignment());
      placements.add(new Placement(0, offsets[i]));
    }
    return new MemoryPlan(planner, List.of(new Pool(bytes, alignment)), placements);
  }

  /** Bytes of all pools together: what the plan takes. */
  public long peakBytes() {
    return pools.stream().mapToLong(Pool::bytes).reduce(0, Math::addExact);
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
      text.append("\npool %d: %d bytes align=%d".formatted(i, pools.get(i).bytes(), pools.get(i).alignment()));
    }
    return text;
  }

  private static void line(StringBuilder text, String buffer, Placement placement) {
    text.append('\n').append(buffer).append(" at ").append(placement.pool()).append('+').append(placement.offset());
  }
}
