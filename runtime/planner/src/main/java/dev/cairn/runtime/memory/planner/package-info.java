/**
 * The memory planners: each a pure function from problem to plan.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.BestFitPortfolio}, the default planner: it runs {@link
 * dev.cairn.runtime.memory.planner.BestFitPlanner} in several orders and keeps the smallest arena. {@code improve}
 * starts from its plan and comes within 0.1 % of the bound on most large problems. {@code search} is exact: for most
 * problems of a few hundred buffers, it finds the smallest plan and proves it. {@code inductor} has the two planners of
 * PyTorch's Inductor, {@code nnvm} NNVM's reuse of whole storages. {@link
 * dev.cairn.runtime.memory.planner.NaivePlanner} shares nothing; tests compare with it. Planners never call the
 * validator; their callers do. To add one, see docs/howto/planner.md.
 */
@NullMarked
package dev.cairn.runtime.memory.planner;

import org.jspecify.annotations.NullMarked;
