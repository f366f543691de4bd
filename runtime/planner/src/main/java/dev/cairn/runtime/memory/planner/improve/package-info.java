/**
 * Planning of large problems, a thousand to a hundred thousand buffers: greedy passes, then a search that improves the
 * best of them.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.improve.ImprovingPlanner}; {@code Planning} is the course of one
 * plan. It sees a problem as {@code Rectangles}, columns of time across and bytes high. An {@code Arrangement} holds
 * where they lie, in a {@code TileTree} over time, so that the {@code Neighbours} of one are found without a look at
 * all the rest; it also makes the greedy passes, in the sequences of {@code Orders}. {@code EvictionSearch} lowers the
 * top: what sticks out above a target is put where it drives out least ({@code CheapestSpot}), and what was driven out
 * looks for another place. Where that ends, {@code Shake} makes another start of the best. {@code MoveBudget} counts
 * what may still be spent.
 */
@NullMarked
package dev.cairn.runtime.memory.planner.improve;

import org.jspecify.annotations.NullMarked;
