/**
 * Computing a {@code float32} model in a type of 16 bits.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.precision.HalfPrecisionPass}. {@code OperatorPrecision} says of each
 * operator whether it is computed in the half type always, where its inputs are, or never. Inputs and outputs of the
 * graph keep their types; what changes inside is where a {@code Cast} stands.
 */
@NullMarked
package dev.cairn.runtime.pass.precision;

import org.jspecify.annotations.NullMarked;
