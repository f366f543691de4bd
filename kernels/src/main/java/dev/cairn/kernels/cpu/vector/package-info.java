/**
 * What the kernels that use the Vector API share: {@code float32}, and products of 8-bit integers, whatever the width
 * of the processor's vectors. The kernels themselves are with their family, as {@code Vector...}.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.vector.VectorRows}, which has what reductions and normalisations do to one
 * row; its lanes {@link dev.cairn.kernels.cpu.vector.LaneSum} adds up in one order, compiled or not. Elementary
 * functions are in {@link dev.cairn.kernels.cpu.vector.VectorMath}; {@link dev.cairn.kernels.cpu.vector.RegisterTile}
 * computes a tile of a product in registers. {@link dev.cairn.kernels.cpu.vector.VectorModule} adds the API's module to
 * a JVM that was started without it.
 *
 * <p>A twin may refuse calls, or hand them to its portable twin, with which tests compare it; masks do the tails of
 * rows. Nothing allocates in loops: a vector that escapes inlining is boxed, so methods are short and loops meet one
 * operator each. A sum begins with {@code FloatVector.zero}, not with a vector from a field: that one is an object, and
 * so each later sum would be.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.vector;

import org.jspecify.annotations.NullMarked;
