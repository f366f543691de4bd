/**
 * How gradients of operators are built: one row for each operator, one file for each family.
 *
 * <p>Start at {@link dev.cairn.runtime.operator.gradient.StandardGradients}, which gathers the rows in a {@link
 * dev.cairn.runtime.operator.gradient.GradientTable}. A {@link dev.cairn.runtime.operator.gradient.GradientRule} gets a
 * {@link dev.cairn.runtime.operator.gradient.GradientContext} for one forward node, and builds the gradients of its
 * operands from ordinary operators. So gradients have types, kernels, plans and gradients of their own. To add a row,
 * add a line to its family; to add a family, add a line to {@code StandardGradients}. {@code pass.gradient} walks the
 * graph and adds up the terms.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.operator.gradient;

import org.jspecify.annotations.NullMarked;
