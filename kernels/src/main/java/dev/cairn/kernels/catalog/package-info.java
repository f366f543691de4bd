/**
 * Which kernel serves which call.
 *
 * <p>Start at {@link dev.cairn.kernels.catalog.KernelCatalog}. A <em>kernel</em> is one operation on memory it is
 * given; a <em>row</em> says which operator and element types a kernel serves; a <em>twin</em> is one of several
 * kernels for the same row, of which the portable one is the truth and the others are compared with it; a
 * <em>provider</em> is where rows come from. A
 * <em>signature</em> is what is known when a kernel is chosen, a <em>call</em> what is given when it runs. Kernels
 * never allocate: they ask for workspace beforehand. To add a kernel, add a row to its family.
 */
@NullMarked
package dev.cairn.kernels.catalog;

import org.jspecify.annotations.NullMarked;
