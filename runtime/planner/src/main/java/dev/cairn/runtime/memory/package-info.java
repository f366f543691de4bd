/**
 * Memory planning: decides before a run which bytes each of its buffers takes.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.MemoryProblem}. A <em>step</em> is one position in the order of
 * execution; a <em>lifetime</em> is a half-open range of steps; a <em>buffer</em> is a number of bytes needed for a
 * lifetime; a <em>problem</em> is a list of buffers, rarely with <em>groups</em> and <em>conflicts</em>. A {@link
 * dev.cairn.runtime.memory.ProblemFeature} is a feature that not every planner supports. A <em>planner</em> answers
 * with a <em>plan</em>: a <em>pool</em> and an offset in it for each buffer. A buffer that reuses another whole buffer
 * is at offset 0 of the same pool. One {@link dev.cairn.runtime.memory.PlanValidator} checks all plans, and one {@link
 * dev.cairn.runtime.memory.LowerBound} scores them. A {@link dev.cairn.runtime.memory.FitVerdict} tells whether a plan
 * fits the memory, and what would make it fit.
 *
 * <p>All sizes are <em>reserved</em> bytes: a buffer's bytes rounded up to its alignment. This package does not depend
 * on graphs or operators, and a device is a number. The validator shares no code with any planner. To tell planners
 * more about a buffer, add a component to {@link dev.cairn.runtime.memory.Constraints} with a default in its {@code
 * NONE}, a feature, and its check to the validator. To add a planner, see docs/howto/planner.md.
 */
@NullMarked
package dev.cairn.runtime.memory;

import org.jspecify.annotations.NullMarked;
