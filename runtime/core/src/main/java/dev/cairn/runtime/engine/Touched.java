package dev.cairn.runtime.engine;

/**
 * The variables that some work touches, in any order. Work that is to run at once may tell them itself, and needs no
 * {@link Footprint} then. None is written and named twice.
 */
public interface Touched {
  /** How many there are. */
  int size();

  /** One of them. */
  Variable variable(int index);

  /** Whether the work writes it; if not, the work reads it. */
  boolean isWritten(int index);

  /** The same as a footprint. */
  Footprint footprint();
}
