/**
 * Native code that a jar carries, loaded from a private cache.
 *
 * <p>Start at {@link dev.cairn.kernels.load.NativeFiles}: it puts a {@link dev.cairn.kernels.load.NativeContent} into
 * the {@link dev.cairn.kernels.load.NativeCache}, a {@link dev.cairn.kernels.load.PrivateFolder} that only this user
 * can change, and has the {@link dev.cairn.kernels.load.DynamicLoader} open it. A file appears there complete or not at
 * all. Nothing here knows which library it is.
 */
@NullMarked
package dev.cairn.kernels.load;

import org.jspecify.annotations.NullMarked;
