/**
 * From a graph and the shapes of its inputs to everything a run needs: passes, kernels, places, a plan.
 *
 * <p>Start at {@link dev.cairn.runtime.compile.Compiler}. This is wiring: the one place that names the passes and their
 * order ({@link dev.cairn.runtime.compile.StandardPipelines}), the planners by name ({@link
 * dev.cairn.runtime.compile.PlannerChoice}), and the evaluator that folds constants with the CPU's kernels. Nothing
 * here allocates memory for a run or runs a model.
 */
@NullMarked
package dev.cairn.runtime.compile;

import org.jspecify.annotations.NullMarked;
