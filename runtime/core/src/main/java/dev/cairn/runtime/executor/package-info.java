/**
 * Runs a compiled graph.
 *
 * <p>Start at {@link dev.cairn.runtime.executor.StaticExecutor}: one set of pools, kernel calls bound to addresses
 * once, one run at a time. A {@link dev.cairn.runtime.executor.StepRunner} runs its steps: one after the other, or in
 * segments on several streams ({@link dev.cairn.runtime.executor.SegmentTable}). An {@link
 * dev.cairn.runtime.executor.ExecutorPool} makes one executor for each concurrent run, as far as memory allows. A
 * {@link dev.cairn.runtime.executor.RunLimit} stops a run, and a {@link dev.cairn.runtime.trace.RunObserver} receives
 * events. {@link dev.cairn.runtime.executor.WeightStore} keeps each constant once for all executors of a session;
 * {@link dev.cairn.runtime.executor.VariableStore} does the same for variables. An executor allocates nothing during a
 * run. The exception is {@link dev.cairn.runtime.executor.DynamicExecutor}, which runs graphs without a plan, because
 * their shapes depend on values.
 */
@NullMarked
package dev.cairn.runtime.executor;

import org.jspecify.annotations.NullMarked;
