/**
 * NumPy's {@code .npy} files: the form in which tensors go in and out on the command line. Start at {@code NpyFile}.
 */
@NullMarked
package dev.cairn.runtime.cli.npy;

import org.jspecify.annotations.NullMarked;
