/**
 * Checkpoints on chains, as papers place them, to compare with: {@link
 * dev.cairn.runtime.memory.recompute.chain.ChenWords} after Chen and others 2016, {@link
 * dev.cairn.runtime.memory.recompute.chain.RevolveWord} after Griewank and Walther 2000.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute.chain;

import org.jspecify.annotations.NullMarked;
