/**
 * Writes a graph as an ONNX file of opset 22.
 *
 * <p>Start at {@link dev.cairn.runtime.onnx.encode.ModelEncoder}. It builds one message for everything except the
 * weights, then streams the weights from their memory without copies. Weights too large for one protobuf message go
 * into a file next to the model.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.onnx.encode;

import org.jspecify.annotations.NullMarked;
