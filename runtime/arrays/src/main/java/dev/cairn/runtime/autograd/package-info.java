/**
 * Gradients of arrays: what is computed while a thread records is kept on a tape, which a backward goes back along.
 *
 * <p>Start at {@link dev.cairn.runtime.autograd.Autograd}. {@code TapeRecorder} is told of each call of an operator; a
 * call over an array with a gradient makes a {@code TapeNode}. The node keeps the operands and results that the
 * gradient rule of its operator reads. {@code RowRecipe} is a gradient that was built once for a use of an operator;
 * {@code TapedUses} remembers such uses. {@code BackwardRun} visits the nodes in the reverse of a graph's order, calls
 * the operators of their recipes and adds up the terms, as {@code pass.gradient} does in graphs. The rules have names,
 * T-1 and so on: docs/arrays.md explains them.
 */
@NullMarked
package dev.cairn.runtime.autograd;

import org.jspecify.annotations.NullMarked;
