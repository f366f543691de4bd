/**
 * The catalog that selects a kernel for each call.
 *
 * <p>Start at {@link dev.cairn.kernels.catalog.KernelCatalog}. A <em>kernel</em> is one operation on memory that its
 * caller passes in. A <em>row</em> names the operator and element types that a kernel supports. <em>Twins</em> are
 * kernels for the same operator; the portable twin is the reference for the others. A <em>provider</em> supplies rows.
 * A <em>signature</em> has the types and attributes that select a kernel; a <em>call</em> adds memory and a stream.
 * Kernels never allocate: they state the workspace that they need beforehand. To add a kernel, add a row to its family.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.catalog;

import org.jspecify.annotations.NullMarked;
