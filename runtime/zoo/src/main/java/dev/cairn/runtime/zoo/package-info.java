/**
 * Reference models built in code: real architectures with seeded weights, for tests, benchmarks and first steps.
 *
 * <p>Start at {@link dev.cairn.runtime.zoo.Zoo}. Each model is one file. Its graph looks like an exporter's
 * (normalisation and activation as separate nodes, attention as multiplications, reshapes and transpositions), so that
 * passes and planners see realistic graphs. Weights depend only on their name and the seed, not on the batch or the
 * order of building; they are scaled so that values stay in range through all layers. The models are not trained, and
 * their outputs mean nothing. A {@code LayeredModel} is written as layers, which {@code
 * Zoo.network} gives, to be trained.
 */
@NullMarked
package dev.cairn.runtime.zoo;

import org.jspecify.annotations.NullMarked;
