/**
 * Infers the type of every entry of a graph from the types of its inputs.
 *
 * <p>Start at {@link dev.cairn.runtime.infer.TypeInference}: one forward sweep that asks each operator's type rule, and
 * on the way finds the values that no input can change. That is how the shape arithmetic of exporters (Shape, Gather,
 * Concat, Reshape) becomes constants. {@link dev.cairn.runtime.infer.InputBinding} comes before it: it gives every
 * symbolic dimension of the inputs a number. An injected {@link dev.cairn.runtime.infer.ValueEvaluator} computes
 * values, so that this package does not depend on kernels. {@link dev.cairn.runtime.infer.BranchInference} and {@link
 * dev.cairn.runtime.infer.RepeatInference} type nodes with bodies. {@link dev.cairn.runtime.infer.DecidingInputs} finds
 * the inputs whose values decide a shape. The meaning of an operator is in its row, not here.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.infer;

import org.jspecify.annotations.NullMarked;
