/**
 * Puts recomputation into graphs: steps run again, so that their results need not be held in between.
 *
 * <p>{@link dev.cairn.runtime.memory.analysis.recompute.RecomputeAnalysis} turns a graph into a problem of the planner,
 * with costs by {@link dev.cairn.runtime.memory.analysis.recompute.StepCosts}. The planner answers with a word: the
 * steps in their order, some more than once. {@link dev.cairn.runtime.memory.analysis.recompute.RecomputeRewrite} makes
 * a graph of it, in which each recomputation is a node of its own. Streamed weights take the same way: a copy is a step
 * of {@link dev.cairn.runtime.memory.analysis.HostCopies}. {@link
 * dev.cairn.runtime.memory.analysis.recompute.ValueNumbers} judges the result: it shares no code with the others. See
 * {@code docs/recompute.md}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.analysis.recompute;

import org.jspecify.annotations.NullMarked;
