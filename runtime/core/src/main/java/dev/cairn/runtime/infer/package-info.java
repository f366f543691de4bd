/**
 * From the types of a graph's inputs to the type of every entry.
 *
 * <p>Start at {@link dev.cairn.runtime.infer.TypeInference}: one forward sweep that asks each operator's type rule,
 * and on the way finds the values that no input can change. That is how the shape arithmetic of exporters (Shape,
 * Gather, Concat, Reshape) becomes constants. {@link dev.cairn.runtime.infer.InputBinding} comes before it: it gives
 * every symbolic dimension of the inputs a number. Values are computed by a {@link
 * dev.cairn.runtime.infer.ValueEvaluator} that the wiring gives, so that nothing here knows of kernels. What an
 * operator means is said in its row, never here.
 */
@NullMarked
package dev.cairn.runtime.infer;

import org.jspecify.annotations.NullMarked;
