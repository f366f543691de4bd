/**
 * From an ONNX file to a graph.
 *
 * <p>Start at {@link dev.cairn.runtime.onnx.decode.ModelDecoder}, which runs these steps. It maps and parses the file
 * without copying the weights. It inlines functions, so that the model is a list of <em>flat nodes</em> that read and
 * write named <em>values</em>. A node with bodies has a {@link dev.cairn.runtime.onnx.decode.FlatBody} for each, and a
 * {@link dev.cairn.runtime.onnx.decode.ControlAssembler} makes its node. It collects all features that Cairn lacks. It
 * sorts the nodes. Only then does it read tensors and create the graph's nodes. A <em>source</em> is the open file; it
 * creates the errors that name the file. Package {@code upgrade} handles differences in older opsets.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.onnx.decode;

import org.jspecify.annotations.NullMarked;
