/**
 * Runs a compiled graph.
 *
 * <p>Start at {@link dev.cairn.runtime.executor.StaticExecutor}: one set of pools, kernel calls bound to addresses
 * once, one run at a time. Its steps are run by a {@link dev.cairn.runtime.executor.StepRunner}: one after the other,
 * or in segments on several streams ({@link dev.cairn.runtime.executor.SegmentTable}). An {@link
 * dev.cairn.runtime.executor.ExecutorPool} makes as many executors as runs are under way, as far as memory allows; a
 * {@link dev.cairn.runtime.executor.RunLimit} says when a run is given up, and a {@link
 * dev.cairn.runtime.trace.RunObserver} hears of steps. {@link dev.cairn.runtime.executor.WeightStore} holds
 * constants in memory of the allocator, each once, for all executors of a session; {@link
 * dev.cairn.runtime.executor.VariableStore} does so for variables. While it runs, an executor
 * asks the allocator for nothing; but for a {@link dev.cairn.runtime.executor.DynamicExecutor}, which runs graphs that
 * could not be compiled, since their shapes depend on values.
 */
@NullMarked
package dev.cairn.runtime.executor;

import org.jspecify.annotations.NullMarked;
