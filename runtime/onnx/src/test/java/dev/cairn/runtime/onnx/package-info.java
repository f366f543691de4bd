/**
 * Tests of reading and writing ONNX files.
 *
 * <p>Models are built from messages with {@link dev.cairn.runtime.onnx.Models}; where a test needs another opinion on what a model means, it
 * asks ONNX Runtime through {@link dev.cairn.runtime.onnx.Oracle}. Conformance data is read from its archive by
 * {@link dev.cairn.runtime.onnx.NodeCases}.
 */
@NullMarked
package dev.cairn.runtime.onnx;

import org.jspecify.annotations.NullMarked;
