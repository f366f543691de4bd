/** Vector kernels against their portable twins, and the bounds that vector functions state. */
@NullMarked
package dev.cairn.kernels.cpu.vector;

import org.jspecify.annotations.NullMarked;
