/**
 * Which of a graph's topological orders needs the least memory.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.order.MemoryOrder}. An {@link
 * dev.cairn.runtime.memory.order.OrderProblem} is nodes, the values that they make and read, and their bytes, as plain
 * arrays; nothing here knows of graphs or operators. {@link dev.cairn.runtime.memory.order.OrderPeak} says what an
 * order needs and shares no code with the search.
 *
 * <p>How it works: nodes that come before or after everything else cut the problem into {@code Segments}, each solved
 * by itself. What is live depends only on the <em>set</em> of nodes that have run, so a {@code Segment}'s orders are
 * paths through such sets; {@code LowestPeakSearch} walks them by their peak and is done at the first that is complete.
 * Where that takes too much work, {@code BeamSearch} keeps a few sets for each number of nodes, and
 * {@code WindowImprovement} then solves stretches of the order around its peak exactly. {@code MemoryOrder} puts these
 * together.
 */
@NullMarked
package dev.cairn.runtime.memory.order;

import org.jspecify.annotations.NullMarked;
