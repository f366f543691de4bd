/**
 * Named parameters of an operation, known before it runs: strides, axes, epsilon.
 *
 * <p>Start at {@link dev.cairn.kernels.attribute.Attributes}. Attributes travel unchanged from a model file through the
 * graph to the kernel, which is why they live below all of these. Names and meanings are ONNX's, but for those of nodes
 * that fusion makes: a {@link dev.cairn.kernels.attribute.PointwiseProgram}, for which {@link
 * dev.cairn.kernels.attribute.PointwiseSlots} says where steps keep their values, or a {@link
 * dev.cairn.kernels.attribute.FusedProduct}. What several kernels read out of attributes and shapes is worked out here,
 * too, such as {@link dev.cairn.kernels.attribute.SlidingWindow} and {@link
 * dev.cairn.kernels.attribute.AttentionHeads}.
 */
@NullMarked
package dev.cairn.kernels.attribute;

import org.jspecify.annotations.NullMarked;
