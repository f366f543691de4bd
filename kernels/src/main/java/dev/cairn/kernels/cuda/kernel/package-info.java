/**
 * What all kernels in CUDA C share: a library of compiled functions, launches, and the structures that both sides
 * read. The kernels themselves are in a package for each family, as those for the processor are.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.kernel.CudaKernel}. It prepares a {@link
 * dev.cairn.kernels.cuda.kernel.Launch} for each call, once. A {@link dev.cairn.kernels.cuda.kernel.KernelLibrary}
 * compiles the launched function for one element type, from the sources in {@code src/main/cuda}, which has one file
 * for each family. A {@link dev.cairn.kernels.cuda.kernel.BroadcastWalk} gives the positions of operands that
 * broadcast. The rows of the kernels are in {@code kernels.row}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.kernel;

import org.jspecify.annotations.NullMarked;
