/**
 * The operators that Cairn supports: one row for each operator, one file for each family.
 *
 * <p>Start at {@link dev.cairn.runtime.operator.family.StandardOperators}. A <em>family</em> is a group of operators
 * with similar rules; other code uses only its {@code ROWS}. Rules follow ONNX opset 22 and compute types; they read a
 * value only if a shape depends on it. They share the arithmetic of windows and slices with the kernels' module. To add
 * an operator, add a row to its family; to add a family, add a line to {@code StandardOperators}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.operator.family;

import org.jspecify.annotations.NullMarked;
