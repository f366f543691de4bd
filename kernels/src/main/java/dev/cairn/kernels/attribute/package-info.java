/**
 * Named parameters of an operation that are known before it runs: strides, axes, epsilon.
 *
 * <p>Start at {@link dev.cairn.kernels.attribute.Attributes}. Attributes pass unchanged from a model file through the
 * graph to the kernel, so this package is below all of these. Names and meanings are ONNX's, except for nodes that
 * fusion creates. Their attributes hold a {@link dev.cairn.kernels.attribute.PointwiseProgram} or a
 * {@link dev.cairn.kernels.attribute.FusedProduct}; {@link dev.cairn.kernels.attribute.PointwiseSlots} assigns memory
 * to a program's steps.
 *
 * <p>A form is a record that parses the attributes of an operator, or of a family, with the operator set's defaults:
 * for example {@link dev.cairn.kernels.attribute.ReductionForm}. Kernels, type rules, gradients and passes take forms;
 * no class outside of this package reads an attribute by name, but those that read and write files. This package also
 * derives what several kernels need from attributes and shapes, for example
 * {@link dev.cairn.kernels.attribute.SlidingWindow} and {@link dev.cairn.kernels.attribute.AttentionHeads}.
 */
@NullMarked
package dev.cairn.kernels.attribute;

import org.jspecify.annotations.NullMarked;
