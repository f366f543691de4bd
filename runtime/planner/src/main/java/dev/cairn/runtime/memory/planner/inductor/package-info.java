/**
 * The two memory planners of PyTorch's Inductor, to the bit.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.inductor.MemoryProgram}: lines that allocate, free and run
 * kernels, which is what Inductor plans. {@link dev.cairn.runtime.memory.planner.inductor.LineReuse} hands whole
 * buffers over; {@link dev.cairn.runtime.memory.planner.inductor.LinePools} cuts pools in time and space and places
 * every buffer in one, with sizes that may be symbolic ({@code inductor.size}). Both also serve a
 * {@link dev.cairn.runtime.memory.MemoryProblem}, which {@code ProblemLines} writes as a program:
 * {@link dev.cairn.runtime.memory.planner.inductor.ReusePlanner} and
 * {@link dev.cairn.runtime.memory.planner.inductor.AllocationTreePlanner}.
 *
 * <p>The tree, from the outside in: {@code AllocationPools} (all of a program) has for each device
 * {@code AllocationPool}s; each has one {@code AllocationTree} of {@code TemporalSplit}s and {@code SpatialSplit}s with
 * {@code Allocation}s in them; {@code TreeLayout} turns a finished tree into offsets. No tree is walked by recursion:
 * trees grow as deep as there are buffers.
 */
@NullMarked
package dev.cairn.runtime.memory.planner.inductor;

import org.jspecify.annotations.NullMarked;
