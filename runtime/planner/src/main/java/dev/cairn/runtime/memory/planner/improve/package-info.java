/**
 * Plans large problems of 1,000 to 100,000 buffers: greedy passes, then a local search that improves the best plan.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.improve.ImprovingPlanner}; {@code Planning} makes one plan. It
 * treats buffers as {@code Rectangles} in time and bytes. An {@code Arrangement} has their places in a {@code TileTree}
 * over time, to find the {@code Neighbours} of a rectangle quickly; it also makes the greedy passes, in the sequences
 * of {@code Orders}. {@code EvictionSearch} lowers the top: it moves a buffer above the target to the place where it
 * evicts least ({@code CheapestSpot}), then places the evicted buffers again. When that stops, {@code Shake} perturbs
 * the best arrangement and starts again. {@code MoveBudget} counts the remaining moves.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.planner.improve;

import org.jspecify.annotations.NullMarked;
