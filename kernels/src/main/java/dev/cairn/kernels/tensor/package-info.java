/**
 * The layout of tensors in memory: element type, extents, strides, and a view of the bytes.
 *
 * <p>Start at {@link dev.cairn.kernels.tensor.TensorView}. A <em>shape</em> is the list of concrete extents. A
 * <em>type</em> is an element type and a shape. A <em>layout</em> adds strides, to express broadcasting and
 * transposition. A <em>view</em> is a type over borrowed bytes. Tensors in memory are always dense and row-major. This
 * package allocates no native memory and does not depend on operators or devices.
 */
@NullMarked
package dev.cairn.kernels.tensor;

import org.jspecify.annotations.NullMarked;
