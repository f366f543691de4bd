/**
 * Whether Cairn computes what ONNX means: the standard's own cases, whole models, and ONNX Runtime as oracle.
 */
@NullMarked
package dev.cairn.conformance;

import org.jspecify.annotations.NullMarked;
