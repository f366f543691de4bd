/**
 * Whole models: how much memory their plans take, and how fast and how large Cairn is beside ONNX Runtime.
 *
 * <p>Start at {@link dev.cairn.benchmarks.models.ModelsBenchmark}. A {@code Subject} is one model; {@code
 * PlanFigures} are about its plan and computed in the parent process; a {@code Comparison} holds the rounds of one
 * model at one number of threads, each a pair of {@code Measurement}s. A measurement is made by {@code OneModel}, the
 * main class of a process of its own, through one of the two {@code EngineUnderTest}s. {@code ModelsVerdict} judges,
 * {@code ModelsPage} is the text. What is fair, and why processes take turns, is said in {@code
 * docs/benchmarks/README.md}.
 */
@NullMarked
package dev.cairn.benchmarks.models;

import org.jspecify.annotations.NullMarked;
