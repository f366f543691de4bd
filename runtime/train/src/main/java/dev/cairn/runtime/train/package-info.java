/**
 * Training: networks as layers, and what they learn with.
 *
 * <p>Start at {@link dev.cairn.runtime.train.Trainer}, which trains a network of layers or a graph: docs/training.md
 * shows how. It builds one graph of a whole iteration ({@code IterationBuilder}, {@code UpdateNodes}), and runs it in a
 * {@link dev.cairn.runtime.session.Session}. {@link dev.cairn.runtime.train.IterationPlan} says what an iteration
 * takes. The packages {@code optimizer} and {@code schedule} say how parameters follow their gradients, and {@code
 * checkpoint} keeps all that a training needs to continue.
 *
 * <p>A network is a layer, written once over {@link
 * dev.cairn.runtime.expression.Expression}: it composes symbols, and it computes on arrays at once. Its numbers are
 * {@link dev.cairn.runtime.train.layer.Parameter}s with the names that PyTorch gives them. The packages {@code loss},
 * {@code metric}, {@code data} and {@code initializer} have what surrounds a network: docs/howto/layer.md shows them
 * together. This module knows neither ONNX files nor the command line.
 */
@NullMarked
package dev.cairn.runtime.train;

import org.jspecify.annotations.NullMarked;
