/**
 * From an ONNX file to a graph.
 *
 * <p>Start at {@link dev.cairn.runtime.onnx.decode.ModelDecoder}, which is the order of the work: the file is mapped
 * and parsed with its weights left where they are; functions are inlined, so that the model is one list of <em>flat
 * nodes</em> that read and write named <em>values</em>; everything Cairn does not have is gathered; the nodes are put
 * in order; only then are tensors looked at and nodes of the graph made. A <em>source</em> is the file at hand, and
 * makes the errors that name it. What older opsets define otherwise is the business of the package {@code upgrade}.
 */
@NullMarked
package dev.cairn.runtime.onnx.decode;

import org.jspecify.annotations.NullMarked;
