/**
 * Gradients of graphs: from a graph to the same graph with gradients.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.gradient.GradientPass}. It walks the nodes backwards from outputs to what
 * gradients are wanted of, and asks the rows of {@code operator.gradient} for the gradient of each node. What it makes
 * are uses of ordinary operators. {@link dev.cairn.runtime.pass.gradient.Aggregation} says how terms of one gradient
 * are added, {@link dev.cairn.runtime.pass.gradient.MirrorChoice} which nodes are computed again instead of kept. The
 * result is a {@link dev.cairn.runtime.pass.gradient.GradientGraph}. {@code compile.Gradients} is the way to it for
 * graphs that are not simplified yet.
 */
@NullMarked
package dev.cairn.runtime.pass.gradient;

import org.jspecify.annotations.NullMarked;
