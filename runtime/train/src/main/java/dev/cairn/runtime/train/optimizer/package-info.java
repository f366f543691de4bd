/**
 * How parameters follow their gradients.
 *
 * <p>Start at {@link dev.cairn.runtime.train.optimizer.Optimizers}. An {@link
 * dev.cairn.runtime.train.optimizer.Optimizer} has an {@link dev.cairn.runtime.train.optimizer.UpdateRule}, a learning
 * rate or a {@link dev.cairn.runtime.train.schedule.Schedule}, and says what happens to a gradient first: it is
 * rescaled, then clipped, then decayed. A rule is a formula over {@link dev.cairn.runtime.expression.Expression}, so it
 * means the same in a planned iteration and on arrays. To add one, write a record like {@link
 * dev.cairn.runtime.train.optimizer.Sgd} and a function in {@code Optimizers}. This package knows neither graphs nor
 * arrays.
 */
@NullMarked
package dev.cairn.runtime.train.optimizer;

import org.jspecify.annotations.NullMarked;
