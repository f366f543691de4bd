/**
 * Runs of a graph that cannot be planned whole, since its shapes depend on values that it computes. Such a graph runs
 * in <em>parts</em>. Where a run knows the types, it cuts the graph: the nodes whose types it knows make a {@link
 * dev.cairn.runtime.parts.GraphPart} with a plan, and those that must run before more is known make one without.
 * Together these are a {@link dev.cairn.runtime.parts.GraphStage}; what they leave of the graph is its {@link
 * dev.cairn.runtime.parts.GraphRest}, which the run cuts next. {@link dev.cairn.runtime.parts.PartsExecutor} does so,
 * {@link dev.cairn.runtime.parts.PartSource} makes plans, {@link dev.cairn.runtime.parts.LargestPart} lends its memory
 * to the same part for smaller types, and {@link dev.cairn.runtime.parts.PartsPlan} tells what is known of the parts
 * before a run.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.parts;

import org.jspecify.annotations.NullMarked;
