/**
 * Single operators in many forms, beside ONNX Runtime in one process.
 *
 * <p>Start at {@link dev.cairn.benchmarks.breadth.BreadthBenchmark}. A {@code Form} writes a node with one combination
 * of operands and attributes, whatever the operator; {@code Forms} lists them. {@code BreadthCases} tries each form
 * with each operator of the table, and keeps what both engines accept. So an operator that comes to the table has its
 * cases without a change here, unless it needs a new form. {@code BreadthTurns} time a case; {@code BreadthPage} is the
 * text.
 */
@NullMarked
package dev.cairn.benchmarks.breadth;

import org.jspecify.annotations.NullMarked;
