/** Layers of several experts, of which each token takes a few. */
@NullMarked
package dev.cairn.kernels.cpu.expert;

import org.jspecify.annotations.NullMarked;
