/**
 * Computes a {@code float32} model in a 16-bit type.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.precision.HalfPrecisionPass}. An operator's row tells whether it uses the
 * 16-bit type always, if its inputs do, or never. Inputs and outputs of the graph keep their types; the pass inserts
 * {@code Cast} nodes inside.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.pass.precision;

import org.jspecify.annotations.NullMarked;
