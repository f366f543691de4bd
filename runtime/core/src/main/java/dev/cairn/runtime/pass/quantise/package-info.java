/**
 * Fuses quantised operators as exporters write them, several for each product, into one for each product.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.quantise.QuantisedPasses}, which says which passes there are. Products of
 * operands that are quantised when the model runs become {@code MatMulIntegerToFloat}. Products between
 * {@code DequantizeLinear} and {@code QuantizeLinear} become {@code QLinearMatMul} and {@code QLinearConv}.
 */
@NullMarked
package dev.cairn.runtime.pass.quantise;

import org.jspecify.annotations.NullMarked;
