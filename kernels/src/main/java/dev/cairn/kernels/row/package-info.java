/**
 * The rows of the catalog. Each file has one family of operators, with the portable kernels and their faster twins
 * on the processor and on NVIDIA devices.
 *
 * <p>Start at {@link dev.cairn.kernels.row.StandardKernels}, the list of families. To add a kernel, add a row to its
 * family. To add a family, write its rows and add it to that list. This package computes nothing. The catalog does not
 * know it: {@link dev.cairn.kernels.row.ProcessorKernels} and {@link dev.cairn.kernels.row.CudaKernels} hand the rows
 * over.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.row;

import org.jspecify.annotations.NullMarked;
