/**
 * The rules of Chen and others 2016, to compare with: {@link dev.cairn.runtime.memory.recompute.chen.ChenWords} holds
 * only some articulation points of the forward half, and runs each segment between two of them again for its gradients.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute.chen;

import org.jspecify.annotations.NullMarked;
