/**
 * Reads and writes ONNX files.
 *
 * <p>Start at {@link dev.cairn.runtime.onnx.OnnxReader} and {@link dev.cairn.runtime.onnx.OnnxWriter}. Packages below:
 * {@code decode} turns files into graphs, {@code upgrade} converts older opsets, {@code expand}
 * writes operators with others, {@code encode} turns graphs into
 * files, and {@code notation} has what they share. {@code proto} has the file's messages; only {@code decode} and
 * {@code encode} may use it. Cairn reads IR versions 1 to 13 and opsets 1 to 27; it writes IR version 10 with opset
 * 22.
 */
@NullMarked
package dev.cairn.runtime.onnx;

import org.jspecify.annotations.NullMarked;
