/**
 * The facts about each operator: its number of inputs, its type rule, its effects on memory, and what passes and
 * analyses ask of it ({@link dev.cairn.runtime.operator.OperatorFacts}).
 *
 * <p>Start at {@link dev.cairn.runtime.operator.OperatorDefinition}: one row for each operator, gathered in an {@link
 * dev.cairn.runtime.operator.OperatorTable}. Package {@code operator.family} has the rows, one file for each family.
 * Operators have the names and meanings of ONNX opset 22. The kernels' catalog, not this package, chooses the kernel of
 * an operator.
 */
@NullMarked
package dev.cairn.runtime.operator;

import org.jspecify.annotations.NullMarked;
