/**
 * Turns a graph into a memory problem: finds the entries that need their own bytes, and at which steps.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.analysis.StorageAnalysis}. A <em>step</em> is a node that executes. A
 * <em>place</em> is the memory of an entry: the caller's, a constant's, a variable's or a planned buffer. Before any
 * planner runs, an entry that only reshapes another, or a result that overwrites a dead input, shares the buffer of
 * that entry. Variables' memory is not planned: {@link dev.cairn.runtime.memory.analysis.KeptValues} preserves old
 * values that are still needed, {@code DirectAssigns} finds assigns without a copy, and {@link
 * dev.cairn.runtime.memory.analysis.VariableCheck} checks both.
 *
 * <p>For a run on several streams {@link dev.cairn.runtime.memory.analysis.StreamAnalysis} makes a {@link
 * dev.cairn.runtime.memory.analysis.StreamSchedule}, with the stream and the waits of each step, and the resulting
 * conflicts; {@link dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator} proves plans by a simulated run with
 * vector clocks. A {@link dev.cairn.runtime.memory.analysis.GraphPlanner} also decides what shares a buffer: {@code
 * NnvmGraphPlanner} by NNVM's own rules.
 *
 * <p>{@link dev.cairn.runtime.memory.analysis.StepOrder} asks {@code memory.order} for a better order of the steps, and
 * puts it into the graph. {@link dev.cairn.runtime.memory.analysis.StorageForLargest} applies the decisions for the
 * largest shapes to smaller ones.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.analysis;

import org.jspecify.annotations.NullMarked;
