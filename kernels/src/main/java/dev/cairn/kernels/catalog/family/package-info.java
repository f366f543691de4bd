/**
 * The rows of the catalog. Each file has one family of operators, with the portable kernels and their faster twins.
 *
 * <p>Start at {@link dev.cairn.kernels.catalog.family.StandardKernels}, the list of families. To add a kernel, add a
 * row to its family. To add a family, write its rows and add it to that list. This package computes nothing.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.catalog.family;

import org.jspecify.annotations.NullMarked;
