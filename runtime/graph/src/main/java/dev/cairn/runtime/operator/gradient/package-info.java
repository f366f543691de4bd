/**
 * How gradients of operators are built: one row for each operator, one file for each family.
 *
 * <p>Start at {@link dev.cairn.runtime.operator.gradient.GradientRule}. A rule gets a {@link
 * dev.cairn.runtime.operator.gradient.GradientContext} for one forward node, and builds the gradients of its operands
 * from ordinary operators. So gradients have types, kernels, plans and gradients of their own. The rows of operators,
 * in {@code operator.family}, name the rules: an {@link dev.cairn.runtime.operator.gradient.OperatorGradient} is a
 * column. Nothing here knows rows. {@code pass.gradient} walks the graph and adds up the terms.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.operator.gradient;

import org.jspecify.annotations.NullMarked;
