package dev.cairn.runtime.memory.planner;

/**
 * Which of the gaps that are large enough a greedy planner takes. Above the highest neighbour is taken when none is.
 */
public enum GapChoice {
  /** The smallest, the lowest of equal ones: best fit. */
  SMALLEST,
  /** The lowest: first fit. */
  LOWEST
}
