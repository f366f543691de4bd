/**
 * Layers: functions of tensors with parameters, written once over {@link dev.cairn.runtime.expression.Expression}.
 *
 * <p>Start at {@link dev.cairn.runtime.train.layer.Layer}, and at {@link dev.cairn.runtime.train.layer.Sequential} for
 * a first network. A {@link dev.cairn.runtime.train.layer.LayerPass} is one use of a layer: it hands out parameters,
 * collects the new values of states, and gives random draws. {@link dev.cairn.runtime.train.layer.LayerGraph} is a
 * layer as a symbol, and {@link dev.cairn.runtime.train.layer.LayerArrays} runs one on arrays. To add a layer, extend
 * {@code Layer} and register parameters and children in its constructor.
 */
@NullMarked
package dev.cairn.runtime.train.layer;

import org.jspecify.annotations.NullMarked;
