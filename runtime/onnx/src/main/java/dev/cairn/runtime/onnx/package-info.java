/**
 * ONNX files in and out.
 *
 * <p>Start at {@link dev.cairn.runtime.onnx.OnnxReader} and {@link dev.cairn.runtime.onnx.OnnxWriter}. Packages
 * below: {@code decode} from file to graph, {@code upgrade} from older opsets to today's, {@code encode} from graph
 * to file, {@code notation} for what they share, {@code proto} for the file's messages, which nobody but {@code
 * decode} and {@code encode} may see. Read are IR versions 3 to 13 and opsets 9 to 26; written is IR version 10 with
 * opset 22.
 */
@NullMarked
package dev.cairn.runtime.onnx;

import org.jspecify.annotations.NullMarked;
