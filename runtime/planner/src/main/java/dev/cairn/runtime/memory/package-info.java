/**
 * Problem, answer and judge of memory planning: which bytes each buffer of a run takes, decided before the run.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.MemoryProblem}. A <em>step</em> is one position in the order of
 * execution; a <em>lifetime</em> is a half-open range of steps; a <em>buffer</em> is a number of bytes wanted for a
 * lifetime; a <em>problem</em> is a list of buffers, and seldom <em>groups</em> and <em>conflicts</em> of them. What
 * not every planner can honour is a {@link dev.cairn.runtime.memory.ProblemFeature}. A <em>planner</em> answers with a
 * <em>plan</em>: a <em>pool</em> and an offset in it for each buffer, whatever its method (taking over a whole buffer
 * is a pool of its own at offset 0). So one {@link dev.cairn.runtime.memory.PlanValidator} judges all plans, against
 * one {@link dev.cairn.runtime.memory.LowerBound}. Whether a plan fits the memory there is, and what would make it fit,
 * is a {@link dev.cairn.runtime.memory.FitVerdict}.
 *
 * <p>Everything counts <em>reserved</em> bytes: a buffer takes its bytes rounded up to its alignment. Nothing here
 * knows of graphs or operators, a device is a number, and the validator shares no code with any planner. To tell
 * planners more about a buffer, add a component to {@link dev.cairn.runtime.memory.Constraints} with a default in its
 * {@code NONE}, a feature, and its check to the validator. To add a planner, see docs/howto/planner.md.
 */
@NullMarked
package dev.cairn.runtime.memory;

import org.jspecify.annotations.NullMarked;
