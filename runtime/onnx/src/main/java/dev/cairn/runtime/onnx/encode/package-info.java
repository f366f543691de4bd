/**
 * From a graph to an ONNX file of opset 22.
 *
 * <p>Start at {@link dev.cairn.runtime.onnx.encode.ModelEncoder}. All but the weights is built as one message; the
 * weights are streamed after it, each straight from where it lies, so that writing takes no memory for them. Where
 * they are too large for one protobuf message they go into a file beside the model.
 */
@NullMarked
package dev.cairn.runtime.onnx.encode;

import org.jspecify.annotations.NullMarked;
