/**
 * The two memory planners of PyTorch's Inductor, reproduced exactly.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.inductor.MemoryProgram}: the lines that allocate, free and run
 * kernels, as Inductor plans them. {@link dev.cairn.runtime.memory.planner.inductor.LineReuse} reuses whole buffers.
 * {@link dev.cairn.runtime.memory.planner.inductor.LinePools} divides pools in time and space and places every buffer
 * in one; sizes may be symbolic ({@code inductor.size}). Both also serve a {@link
 * dev.cairn.runtime.memory.MemoryProblem}, which {@code ProblemLines} converts to a program: {@link
 * dev.cairn.runtime.memory.planner.inductor.ReusePlanner} and {@link
 * dev.cairn.runtime.memory.planner.inductor.AllocationTreePlanner}.
 *
 * <p>The tree, from the outside in: {@code AllocationPools} has the {@code AllocationPool}s of each device. Each pool
 * has one {@code AllocationTree} of {@code TemporalSplit}s and {@code SpatialSplit}s with {@code Allocation}s in them.
 * {@code TreeLayout} turns a finished tree into offsets. No code walks a tree by recursion, because trees may be as
 * deep as the number of buffers.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.planner.inductor;

import org.jspecify.annotations.NullMarked;
