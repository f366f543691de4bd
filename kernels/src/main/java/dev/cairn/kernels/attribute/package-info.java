/**
 * Named parameters of an operation that are known before it runs: strides, axes, epsilon.
 *
 * <p>Start at {@link dev.cairn.kernels.attribute.Attributes}. Attributes pass unchanged from a model file through the
 * graph to the kernel, so this package is below all of these. Names and meanings are ONNX's, except for nodes that
 * fusion creates. Their attributes hold a {@link dev.cairn.kernels.attribute.PointwiseProgram} or a {@link
 * dev.cairn.kernels.attribute.FusedProduct}; {@link dev.cairn.kernels.attribute.PointwiseSlots} assigns memory to a
 * program's steps. This package also derives what several kernels need from attributes and shapes, for example {@link
 * dev.cairn.kernels.attribute.SlidingWindow} and {@link dev.cairn.kernels.attribute.AttentionHeads}.
 */
@NullMarked
package dev.cairn.kernels.attribute;

import org.jspecify.annotations.NullMarked;
