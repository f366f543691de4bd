/**
 * Faster twins of the portable kernels, with the Vector API: for {@code float32}, and for products of 8-bit integers,
 * whatever the width of the processor's vectors.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.vector.VectorElementwiseUnary} and {@link
 * dev.cairn.kernels.cpu.vector.LoopCopy}, which shows how one loop serves many operators at full speed. Elementary
 * functions are in {@link dev.cairn.kernels.cpu.vector.VectorMath}; what reductions and normalisations do to one row in
 * {@link dev.cairn.kernels.cpu.vector.VectorRows}, whose lanes {@link dev.cairn.kernels.cpu.vector.LaneSum} adds up in
 * one order, compiled or not. A twin may refuse calls, or hand them to its portable twin, and is
 * compared with it in tests; tails of rows are done by masks. Nothing here allocates in loops: a vector that escapes
 * inlining is boxed, so methods are short and loops meet one operator each. A sum begins with {@code
 * FloatVector.zero}, not with a vector from a field: that one is an object, and so each later sum would be.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.vector;

import org.jspecify.annotations.NullMarked;
