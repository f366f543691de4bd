/**
 * Reference models built in code: real architectures with seeded weights, for tests, benchmarks and first steps.
 *
 * <p>Start at {@link dev.cairn.runtime.zoo.Zoo}. A model is one file; its graph is written as exporters write it
 * (normalisation and activation as nodes of their own, attention as multiplications, reshapes and transpositions), so
 * that passes and planners see what they see in practice. Weights are drawn for each name from a seed, so that
 * neither the batch nor the order of building changes them; they are scaled so that values stay in a sane range from
 * the first layer to the last. What the models compute means nothing.
 */
@NullMarked
package dev.cairn.runtime.zoo;

import org.jspecify.annotations.NullMarked;
