/**
 * Training: networks as layers, and what they learn with.
 *
 * <p>Start at {@link dev.cairn.runtime.train.layer.Layer}. A network is a layer, written once over {@link
 * dev.cairn.runtime.expression.Expression}: it composes symbols, and it computes on arrays at once. Its numbers are
 * {@link dev.cairn.runtime.train.layer.Parameter}s with the names that PyTorch gives them. The packages {@code loss},
 * {@code metric}, {@code data} and {@code initializer} have what surrounds a network: docs/howto/layer.md shows them
 * together. This module knows neither ONNX files nor the command line.
 */
@NullMarked
package dev.cairn.runtime.train;

import org.jspecify.annotations.NullMarked;
