package dev.cairn.runtime.engine;

/**
 * The variables that some work touches, in any order. Work that is to run at once may list them itself, and then needs
 * no {@link Footprint}. A variable that the work writes is listed once.
 */
public interface Touched {
  /** The number of variables; one that the work only reads may count twice. */
  int size();

  /** The variable with this number, from 0. */
  Variable variable(int index);

  /** Whether the work writes it; if not, the work reads it. */
  boolean isWritten(int index);

  /** The same as a footprint. */
  Footprint footprint();
}
