/**
 * Models that code writes node by node, as exporters write them, with random weights: single operators, a small model
 * of each class that people run, and a quantised encoder.
 *
 * <p>Start at {@link dev.cairn.benchmarks.written.WrittenModel}. Conformance tests run the same models.
 */
@NullMarked
package dev.cairn.benchmarks.written;

import org.jspecify.annotations.NullMarked;
