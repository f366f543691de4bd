/**
 * Products of matrices, sums of products by an equation, and determinants.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.product.CpuMatmul} and its twin {@link
 * dev.cairn.kernels.cpu.product.VectorMatmul}. {@link dev.cairn.kernels.cpu.product.TiledProduct} is the faster
 * product, of {@link dev.cairn.kernels.cpu.product.TiledOperands}; convolutions, attention and recurrent networks
 * compute with it, too. {@link dev.cairn.kernels.cpu.product.MatrixVector} serves products with few rows.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.product;

import org.jspecify.annotations.NullMarked;
