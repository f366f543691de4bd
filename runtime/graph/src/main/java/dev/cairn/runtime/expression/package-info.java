/**
 * The functions that users call on tensors, written once for everything that can apply an operator.
 *
 * <p>Start at {@link dev.cairn.runtime.expression.Expression}: an implementation says how it applies an operator, and
 * inherits all functions, so that an expression means the same wherever it is written. {@link
 * dev.cairn.runtime.expression.Index} is what stands in brackets, {@link dev.cairn.runtime.expression.IndexText} reads
 * it from text, and a {@link dev.cairn.runtime.expression.Selection} is what it selects of a shape. To add a function,
 * add a default method to the interface of its family. {@link dev.cairn.runtime.expression.GraphExpression} builds
 * graphs with these functions. Whatever else builds nodes goes through them, too, so that an operator's name stands
 * here once.
 */
@NullMarked
package dev.cairn.runtime.expression;

import org.jspecify.annotations.NullMarked;
