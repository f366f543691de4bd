/**
 * CUDA kernels that choose elements by value or by index: gather, scatter, largest elements.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.selection.CudaGather}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.selection;

import org.jspecify.annotations.NullMarked;
