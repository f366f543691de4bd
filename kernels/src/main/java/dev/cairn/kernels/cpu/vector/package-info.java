/**
 * What the kernels that use the Vector API share: {@code float32}, and products of 8-bit integers, whatever the width
 * of the processor's vectors. The kernels themselves are with their family, as {@code Vector...}.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.vector.VectorRows}, which has what reductions and normalisations do to one
 * row; its lanes {@link dev.cairn.kernels.cpu.vector.LaneSum} adds up in one order, compiled or not. Elementary
 * functions are in {@link dev.cairn.kernels.cpu.vector.VectorMath}; {@link dev.cairn.kernels.cpu.vector.RegisterTile}
 * computes a tile of a product in registers. Nothing here allocates in loops: a vector that escapes inlining is boxed,
 * so methods are short and loops meet one operator each. A sum begins with {@code FloatVector.zero}, not with a vector
 * from a field: that one is an object, and so each later sum would be. {@link
 * dev.cairn.kernels.cpu.vector.VectorModule} checks that the JVM has the module.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.vector;

import org.jspecify.annotations.NullMarked;
