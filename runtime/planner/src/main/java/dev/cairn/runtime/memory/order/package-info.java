/**
 * Finds the topological order of a graph that needs the least memory.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.order.MemoryOrder}. An {@link
 * dev.cairn.runtime.memory.order.OrderProblem} has the nodes, the values that they produce and read, and their bytes,
 * as plain arrays. This package does not depend on graphs or operators. {@link
 * dev.cairn.runtime.memory.order.OrderPeak} computes the memory of an order and shares no code with the search.
 *
 * <p>How it works: nodes that precede or follow all others cut the problem into independent {@code Segments}. Live
 * memory depends only on the <em>set</em> of nodes that have run, so the orders of a {@code Segment} are paths through
 * such sets. {@code LowestPeakSearch} explores the paths by lowest peak and stops at the first complete one. If that
 * takes too much work, {@code BeamSearch} keeps a few sets for each number of nodes. Then {@code WindowImprovement}
 * solves windows around the peak exactly. {@code MemoryOrder} combines these steps. {@link
 * dev.cairn.runtime.memory.order.EagerOrder} is for graphs that assign to variables: updates run as early as they can.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.order;

import org.jspecify.annotations.NullMarked;
