/**
 * Passes on nodes that run bodies.
 *
 * <p>{@link dev.cairn.runtime.pass.control.ResolveControlPass} replaces an {@code If} by the branch that is always
 * taken, and a short loop by its trips. {@link dev.cairn.runtime.pass.control.BodiesPass} runs other passes inside
 * bodies.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.pass.control;

import org.jspecify.annotations.NullMarked;
