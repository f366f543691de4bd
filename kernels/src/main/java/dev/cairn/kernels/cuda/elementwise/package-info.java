/**
 * CUDA kernels that compute each element by itself: functions of one, two and three operands, casts, and programs of
 * several such functions.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.elementwise.CudaElementwiseUnary}, whose functions {@link
 * dev.cairn.kernels.cuda.elementwise.ElementFunction} lists. A fused program has no source file: {@link
 * dev.cairn.kernels.cuda.elementwise.CudaFusedPointwise} launches one that {@link
 * dev.cairn.kernels.cuda.elementwise.CudaPointwiseSource} generates.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.elementwise;

import org.jspecify.annotations.NullMarked;
