/**
 * Fuses quantised operators. Exporters write several nodes for each product; these passes make one of them.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.quantize.QuantizedPasses}, which says which passes there are. Products of
 * operands that are quantised when the model runs become {@code MatMulIntegerToFloat}. Products between
 * {@code DequantizeLinear} and {@code QuantizeLinear} become {@code QLinearMatMul} and {@code QLinearConv}.
 * {@code MoveQuantizedPass} moves quantised elements instead of real ones, and {@code RemoveQuantizePairsPass} removes
 * a quantisation that changes nothing. {@code FuseByteTablePass} makes tables of functions of one quantised tensor.
 * {@code FuseQuantizedOperatorPass} makes one node of other operators between quantised tensors.
 * Products with constant weights of few bits become {@code MatMulNBits}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.pass.quantize;

import org.jspecify.annotations.NullMarked;
