/**
 * Losses: how far predictions are from labels, over any {@link dev.cairn.runtime.expression.Expression}. Start at
 * {@link dev.cairn.runtime.train.loss.Losses}, which has them by name.
 */
@NullMarked
package dev.cairn.runtime.train.loss;

import org.jspecify.annotations.NullMarked;
