package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.OffsetAlignment;
import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;

/**
 * Variants of {@link LinePools}.
 *
 * @param mode which buffers share a pool
 * @param alignment what lies beside something else begins at a multiple of this many bytes; a power of two
 */
public record PoolOptions(PoolMode mode, long alignment) {
  /** Inductor's defaults. */
  public static final PoolOptions DEFAULT = new PoolOptions(PoolMode.INTERMEDIATES, SymbolicSize.USUAL_ALIGNMENT);

  public PoolOptions {
    if (!OffsetAlignment.isPowerOfTwo(alignment)) {
      throw new IllegalArgumentException("alignment is not a power of two: alignment=%d".formatted(alignment));
    }
  }
}
