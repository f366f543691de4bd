/**
 * Planning of large problems, a thousand to a hundred thousand buffers: many greedy passes, then a search that improves
 * the best of them.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.improve.ImprovingPlanner}. It sees a problem as
 * {@code Rectangles}, columns of time across and bytes high. An {@code Arrangement} holds where they lie, indexed by
 * tiles of time, so that all {@code Neighbours} of one are found without looking at the rest; it also makes the greedy
 * passes, in the sequences of {@code Orders}. {@code EvictionSearch} lowers the top: what sticks out above a target is
 * put where it drives out least ({@code CheapestSpot}), and what was driven out looks for another place. {@code Effort}
 * counts what may still be spent.
 */
@NullMarked
package dev.cairn.runtime.memory.planner.improve;

import org.jspecify.annotations.NullMarked;
