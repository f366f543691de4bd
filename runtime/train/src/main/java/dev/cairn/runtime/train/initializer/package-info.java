/**
 * Initial values of parameters. Start at {@link dev.cairn.runtime.train.initializer.Initializers}, which has them by
 * name. A value depends on the seed, on the number of the draw and on the place in the tensor, and on nothing else.
 */
@NullMarked
package dev.cairn.runtime.train.initializer;

import org.jspecify.annotations.NullMarked;
