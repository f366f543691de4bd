/**
 * Pooling, its gradient, and its inverse.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.pool.CpuPool} and its twin {@link dev.cairn.kernels.cpu.pool.VectorPool};
 * {@link dev.cairn.kernels.attribute.SlidingWindow#ofPool} reads the window of both from the attributes.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.pool;

import org.jspecify.annotations.NullMarked;
