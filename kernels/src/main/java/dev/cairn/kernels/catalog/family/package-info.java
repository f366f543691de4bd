/**
 * The rows of the catalog, one file a family of operators, naming the portable kernel and its faster twins.
 *
 * <p>Start at {@link dev.cairn.kernels.catalog.family.StandardKernels}, the one list of families. To add a kernel, add
 * a row to its family; to add a family, write its rows and name it there. Nothing here computes.
 */
@NullMarked
package dev.cairn.kernels.catalog.family;

import org.jspecify.annotations.NullMarked;
