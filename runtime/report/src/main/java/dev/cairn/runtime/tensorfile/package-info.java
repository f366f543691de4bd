/**
 * Files of tensors. Start at {@link dev.cairn.runtime.tensorfile.NpyFile}, which reads and writes NumPy's arrays.
 * {@link dev.cairn.runtime.tensorfile.NpzFile}, {@link dev.cairn.runtime.tensorfile.SafetensorsFile} and MXNet's {@link
 * dev.cairn.runtime.tensorfile.MxnetParamsFile} hold tensors by
 * name. A damaged file ends in an {@link dev.cairn.runtime.tensorfile.InvalidTensorFile} or another {@code
 * IllegalArgumentException} before memory is allocated for its tensors. This package lies in the module of reports,
 * which has a JSON library and {@link dev.cairn.runtime.report.WholeFile}; {@code cairn-executor} has neither.
 */
@NullMarked
package dev.cairn.runtime.tensorfile;

import org.jspecify.annotations.NullMarked;
