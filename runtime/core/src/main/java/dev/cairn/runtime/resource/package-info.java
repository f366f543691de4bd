/**
 * What operations need besides their operands: the state of random numbers.
 *
 * <p>Start at {@link dev.cairn.runtime.resource.RandomState}. The numbers themselves are made by kernels, of a seed and
 * the number of a draw.
 */
@NullMarked
package dev.cairn.runtime.resource;

import org.jspecify.annotations.NullMarked;
