/**
 * Runs a compiled graph.
 *
 * <p>Start at {@link dev.cairn.runtime.executor.StaticExecutor}: one set of pools, kernel calls bound to addresses
 * once, one run at a time. A {@link dev.cairn.runtime.executor.StepRunner} runs its steps: one after the other, or in
 * segments on several streams ({@link dev.cairn.runtime.executor.SegmentTable}). An {@link
 * dev.cairn.runtime.executor.ExecutorPool} keeps one executor for each concurrent run, as far as memory allows. A
 * {@link dev.cairn.runtime.executor.RunLimit} stops a run, and a {@link dev.cairn.runtime.trace.RunObserver} receives
 * events. A {@link dev.cairn.runtime.executor.RunScope} tells the threads that work for a run, so that runs inside of
 * it share what it holds. {@link dev.cairn.runtime.executor.WeightStore} keeps each constant once for all executors of
 * a session; {@link dev.cairn.runtime.executor.VariableStore} does the same for variables. An executor allocates
 * nothing during a run. A step of a plan may run the bodies of an {@code If}, {@code Loop} or {@code Scan}: it is a
 * {@link dev.cairn.runtime.executor.ControlStep}, and a {@link dev.cairn.runtime.executor.BoundBody} has the steps of
 * one body, bound to the workspace of that step. {@link dev.cairn.runtime.executor.DynamicExecutor} runs graphs without
 * a plan, node by node, and takes memory for each node; its branches are {@link
 * dev.cairn.runtime.executor.StepOperations} of an engine.
 */
@NullMarked
package dev.cairn.runtime.executor;

import org.jspecify.annotations.NullMarked;
