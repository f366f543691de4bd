/**
 * What is known of an operator: how many inputs, which types come out, what it does to memory.
 *
 * <p>Start at {@link dev.cairn.runtime.operator.OperatorDefinition}: one row a operator, gathered in an {@link
 * dev.cairn.runtime.operator.OperatorTable}. Rows stand in {@code operator.family}, one file a family. An operator's
 * name and meaning are those of ONNX opset 22. Which kernel runs it is the catalog's business, not this package's.
 */
@NullMarked
package dev.cairn.runtime.operator;

import org.jspecify.annotations.NullMarked;
