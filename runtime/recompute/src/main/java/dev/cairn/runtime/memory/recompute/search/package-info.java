/**
 * Searches the cheapest word within a budget.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.recompute.search.RecomputePlanner}. It tries another order first, which
 * costs nothing. {@code CutSweep} makes words to start from: what to save comes from a minimum cut, and {@code
 * JustInTime} runs the rest again. {@code CheckpointStart} has one for chains. {@code WordSearch} improves the best of
 * them by simulated annealing. Its {@code Moves} change a {@code SlottedWord}, which knows its cost and what it holds
 * after every change: {@code WordValues} follows the versions, and {@code HeldProfile} sums up their bytes.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute.search;

import org.jspecify.annotations.NullMarked;
