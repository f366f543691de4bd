/**
 * Files of tensors. Start at {@link dev.cairn.runtime.tensorfile.NpyFile}, which reads and writes NumPy's arrays. A
 * damaged file ends in an {@code IllegalArgumentException} before memory is allocated for its tensors. This package
 * lies in the module of reports, whose {@link dev.cairn.runtime.report.WholeFile} it writes with.
 */
@NullMarked
package dev.cairn.runtime.tensorfile;

import org.jspecify.annotations.NullMarked;
