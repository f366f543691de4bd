package dev.cairn.runtime.memory.planner.search;

/**
 * The rules that let a search look at less. Each can be off; the verdicts are the same, only later.
 *
 * @param stackBound a section must have room for those of its items that cannot begin below any one offset, above it;
 *   off: for all its items above its floor
 * @param cutPoints where no item that waits is held on both sides of a cut in time, both sides are searched by
 *   themselves
 * @param harmless an item that is in no other's way is placed without a look at alternatives
 * @param twins of items with equal bytes and equal sections, only the first is tried
 * @param failedStates a state that failed before, perhaps reached in another order, is not searched again. States are
 *   known by 64-bit hashes of all they hold: that two different ones meet is not seen in 10^12 states
 */
public record SearchRules(boolean stackBound, boolean cutPoints, boolean harmless, boolean twins,
  boolean failedStates) {
  public static final SearchRules ALL = new SearchRules(true, true, true, true, true);
}
