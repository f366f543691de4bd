package dev.cairn.runtime.memory.recompute.offload;

import java.util.BitSet;

/**
 * The limits on the choice of moves. Its sets must not be changed.
 *
 * @param always values of which each version moves for its longest wait, however small it is
 * @param never values that stay
 */
public record OffloadHints(BitSet always, BitSet never) {
  /** No hints. */
  public static final OffloadHints NONE = new OffloadHints(new BitSet(), new BitSet());

  boolean asks(OffloadMove move) {
    return always.get(move.value());
  }
}
