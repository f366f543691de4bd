/**
 * Kernels over strings, on the processor. Start at {@link dev.cairn.kernels.cpu.text.StringMove}: it runs an operator
 * that moves elements with whole numbers in the place of strings. The other kernels compute on strings, one operator
 * each; {@code kernels.attribute} has the arithmetic that type rules share with them.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.text;

import org.jspecify.annotations.NullMarked;
