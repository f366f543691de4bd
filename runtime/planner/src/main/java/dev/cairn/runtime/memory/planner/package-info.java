/**
 * The memory planners: each a pure function from problem to plan.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.BestFitPortfolio}, the one to use when nothing else is asked for:
 * it runs {@link dev.cairn.runtime.memory.planner.BestFitPlanner} in several orders and keeps the smallest arena.
 * {@code improve} goes on from there and comes within a per mille of the bound on most large problems; {@code search}
 * is exact, finds the smallest plan of most problems of some hundred buffers, and shows that it is.
 * {@code inductor} holds the two planners of PyTorch's Inductor, {@code nnvm} NNVM's way of handing storages over;
 * {@link dev.cairn.runtime.memory.planner.NaivePlanner} shares nothing and is what tests and bug hunts compare with.
 * Planners never call the validator: who runs a plan does. To add one, see docs/howto/planner.md.
 */
@NullMarked
package dev.cairn.runtime.memory.planner;

import org.jspecify.annotations.NullMarked;
