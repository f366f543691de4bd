/**
 * From a graph to a memory problem: which entries need bytes of their own, and at which steps.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.analysis.StorageAnalysis}. A <em>step</em> is a node that really runs; a
 * <em>place</em> says whose bytes an entry lies in: the caller's, a constant's, a variable's or a planned buffer's.
 * Entries that are the same bytes under another shape, and results written over an input that dies, share a buffer
 * before any planner sees the problem. Variables' memory is not planned: {@link
 * dev.cairn.runtime.memory.analysis.KeptValues} sees to it that old values are kept where they are needed, {@code
 * DirectAssigns} finds out which assigns need no copy, and {@link dev.cairn.runtime.memory.analysis.VariableCheck}
 * judges both.
 *
 * <p>For a run on several streams {@link dev.cairn.runtime.memory.analysis.StreamAnalysis} makes a {@link
 * dev.cairn.runtime.memory.analysis.StreamSchedule}, which says what runs where and waits for what, and the conflicts
 * that follow from it; {@link dev.cairn.runtime.memory.analysis.ConcurrentPlanValidator} proves plans by a simulated
 * run with vector clocks. {@link dev.cairn.runtime.memory.analysis.NnvmAnalysis} leaves sharing to NNVM's own rules.
 *
 * <p>{@link dev.cairn.runtime.memory.analysis.StepOrder} asks {@code memory.order} for a better order of the steps, and
 * puts it into the graph. {@link dev.cairn.runtime.memory.analysis.StorageForLargest} takes over for smaller shapes
 * what was decided for larger ones.
 */
@NullMarked
package dev.cairn.runtime.memory.analysis;

import org.jspecify.annotations.NullMarked;
