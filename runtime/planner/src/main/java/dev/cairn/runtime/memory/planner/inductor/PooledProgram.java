package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.planner.inductor.size.Lengths;
import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@link LinePools}' answer: pools, the place of each group in them, and the lines that say when pools come and go.
 * Immutable. Sizes and offsets are symbolic; {@link #problem} and {@link #plan} give them numbers, and the plan is
 * valid for any. Text form: one line a pool, one a place.
 *
 * @param planner name, for plans
 * @param lines the program's lines, those of removed buffers left out
 * @param pools in the order of their devices' first use
 * @param places of the groups, in the order of their allocations
 */
public record PooledProgram(String planner, List<PooledLine> lines, List<SymbolicPool> pools,
  List<PooledBuffer> places) {
  /**
   * A pool.
   *
   * @param device that it lies on
   * @param bytes its size
   * @param countedBytes what the planner counted with: the size by the hints, with all room that stayed empty. At least
   *   {@code bytes} when no alignment but the planner's is asked for
   * @param alignment of its base, in bytes
   */
  public record SymbolicPool(String device, SymbolicSize bytes, long countedBytes, long alignment) {}

  /**
   * The place of a group.
   *
   * @param buffer the one that was allocated
   * @param begin first time step at which it is live
   * @param end the step after the last; {@code begin} when no kernel runs while it is allocated
   * @param pool by index
   * @param offset from the pool's base
   * @param output whether the caller reads it afterwards
   */
  public record PooledBuffer(LineBuffer buffer, int begin, int end, int pool, SymbolicSize offset, boolean output) {}

  public PooledProgram {
    lines = List.copyOf(lines);
    pools = List.copyOf(pools);
    places = List.copyOf(places);
  }

  /**
   * What was planned, a buffer for each place, with these lengths of the dimensions. A group while which no kernel runs
   * wants no bytes.
   */
  public MemoryProblem problem(Map<String, Long> dimensions) {
    return new MemoryProblem(places.stream().map(place -> {
      boolean used = place.end > place.begin;
      Buffer buffer = Buffer.of(place.buffer.name(), used ? place.buffer.bytes().at(dimensions) : 0,
        new Lifetime(place.begin, used ? place.end : place.begin + 1));
      return place.output ? buffer.asOutput() : buffer;
    }).toList());
  }

  /** The plan with these lengths of the dimensions, an answer to {@link #problem}. */
  public MemoryPlan plan(Map<String, Long> dimensions) {
    Lengths lengths = new Lengths(dimensions);
    return new MemoryPlan(planner,
      pools.stream().map(pool -> new Pool(lengths.of(pool.bytes), pool.alignment)).toList(),
      places.stream().map(place -> new Placement(place.pool, lengths.of(place.offset))).toList());
  }

  @Override
  public String toString() {
    String poolText = pools.stream().map(pool -> "pool on " + pool.device + ": " + pool.bytes)
      .collect(Collectors.joining("\n"));
    return poolText + places.stream()
      .map(place -> "\n%s [%d, %d) at %d+%s".formatted(place.buffer, place.begin, place.end, place.pool, place.offset))
      .collect(Collectors.joining());
  }
}
