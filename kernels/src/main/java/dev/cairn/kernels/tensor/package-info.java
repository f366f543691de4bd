/**
 * How a tensor lies in memory: element type, extents, strides, and a view of the bytes.
 *
 * <p>Start at {@link dev.cairn.kernels.tensor.TensorView}. A <em>shape</em> is the list of extents, always concrete; a
 * <em>type</em> is element type and shape together; a <em>layout</em> adds strides, which is how broadcasting and
 * transposition are expressed; a <em>view</em> is a type over bytes that somebody else owns. Tensors in memory are
 * always dense and row-major. Nothing here allocates, and nothing here knows of operators or devices.
 */
@NullMarked
package dev.cairn.kernels.tensor;

import org.jspecify.annotations.NullMarked;
