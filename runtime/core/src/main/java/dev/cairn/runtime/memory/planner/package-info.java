/**
 * The memory planners: each a pure function from problem to plan.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.BestFitPortfolio}, the one to use when nothing else is asked for:
 * it runs {@link dev.cairn.runtime.memory.planner.BestFitPlanner} in several orders and keeps the smallest arena.
 * {@link dev.cairn.runtime.memory.planner.ReusePlanner} only hands whole buffers over, as PyTorch's Inductor does, and
 * {@code nnvm} holds NNVM's way of doing so;
 * {@link dev.cairn.runtime.memory.planner.NaivePlanner} shares nothing and is what tests and bug hunts compare with.
 * Planners never call the validator: who runs a plan does. To add one, see docs/howto/planner.md.
 */
@NullMarked
package dev.cairn.runtime.memory.planner;

import org.jspecify.annotations.NullMarked;
