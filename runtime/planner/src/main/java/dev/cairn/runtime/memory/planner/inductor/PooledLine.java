package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;

/** One line of a program whose buffers lie in pools. Immutable. */
public sealed interface PooledLine {
  /**
   * A buffer begins in its pool.
   *
   * @param offset from the pool's base
   * @param first whether no line before it uses the pool, so that the pool is allocated here
   */
  record Take(LineBuffer buffer, int pool, SymbolicSize offset, boolean first) implements PooledLine {
    @Override
    public String toString() {
      return "take %s at %d+%s%s".formatted(buffer, pool, offset, first ? " (allocates the pool)" : "");
    }
  }

  /**
   * A buffer ends.
   *
   * @param last whether nothing in the pool is live any more, so that the pool is freed here
   */
  record Return(LineBuffer buffer, int pool, boolean last) implements PooledLine {
    @Override
    public String toString() {
      return "return %s to %d%s".formatted(buffer, pool, last ? " (frees the pool)" : "");
    }
  }

  /** A line that is as it was. */
  record Same(MemoryLine line) implements PooledLine {
    @Override
    public String toString() {
      return line.toString();
    }
  }
}
