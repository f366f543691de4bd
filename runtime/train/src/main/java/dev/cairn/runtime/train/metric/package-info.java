/**
 * Metrics: figures over many batches. Start at {@link dev.cairn.runtime.train.metric.Metrics}. A metric's sums are
 * arrays, so that an update waits for nothing; {@link dev.cairn.runtime.train.metric.Metric#get} does.
 */
@NullMarked
package dev.cairn.runtime.train.metric;

import org.jspecify.annotations.NullMarked;
