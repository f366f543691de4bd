/**
 * What operations need besides their operands: the state of random numbers.
 *
 * <p>Start at {@link dev.cairn.runtime.resource.RandomState}. Kernels compute the random numbers, from a seed and the
 * number of a draw.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.resource;

import org.jspecify.annotations.NullMarked;
