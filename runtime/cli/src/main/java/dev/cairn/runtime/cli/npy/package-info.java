/** Reads and writes NumPy's {@code .npy} files, the command line's format for tensors. Start at {@code NpyFile}. */
@NullMarked
package dev.cairn.runtime.cli.npy;

import org.jspecify.annotations.NullMarked;
