/**
 * Compiles a graph for given input shapes: runs passes, chooses kernels, and makes the memory plan.
 *
 * <p>Start at {@link dev.cairn.runtime.compile.Compiler}. This package lists the passes and their order ({@link
 * dev.cairn.runtime.compile.StandardPipelines}) and the planners by name ({@link
 * dev.cairn.runtime.compile.PlannerChoice}). It also has the evaluator that folds constants with the CPU's kernels.
 * {@link dev.cairn.runtime.compile.CompiledBodies} compiles the bodies of control flow; a {@link
 * dev.cairn.runtime.compile.ControlKernel} is the step that runs them. {@code Recomputation} runs steps again where a
 * graph does not fit its limit otherwise ({@link dev.cairn.runtime.compile.RecomputeOptions}). {@code WeightStreaming}
 * has each run copy constants: from the host's memory to a GPU ({@code CopyKernel}), or on the processor from the
 * model's file ({@code LoadKernel}). This package neither allocates memory for a run nor runs a model.
 */
@NullMarked
package dev.cairn.runtime.compile;

import org.jspecify.annotations.NullMarked;
