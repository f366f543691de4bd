/** Kernels in CUDA C against their portable twins. Start at {@link dev.cairn.gpu.kernel.CudaTwins}. */
@NullMarked
package dev.cairn.gpu.kernel;

import org.jspecify.annotations.NullMarked;
