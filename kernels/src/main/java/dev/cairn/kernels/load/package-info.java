/**
 * Loads native libraries out of jars, through a private cache.
 *
 * <p>Start at {@link dev.cairn.kernels.load.NativeFiles}. It puts a {@link dev.cairn.kernels.load.NativeContent} into
 * the {@link dev.cairn.kernels.load.NativeCache}, and the {@link dev.cairn.kernels.load.DynamicLoader} opens the file.
 * The cache is a {@link dev.cairn.kernels.load.PrivateFolder}, which only this user can change. A file appears there
 * only when it is complete. This package does not know particular libraries.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.load;

import org.jspecify.annotations.NullMarked;
