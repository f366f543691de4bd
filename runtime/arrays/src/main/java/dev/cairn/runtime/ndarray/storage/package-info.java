/**
 * Bytes that arrays share. An {@code ArrayStorage} is memory with its engine variable, and a count of the arrays that
 * hold it; an {@code ArrayRange} is a tensor in it. Each array has a {@code Hold}: a range that keeps the bytes until
 * it is closed. {@code LiveStorages} makes storages and lists those that are held, {@code Leaks} closes the holds of
 * unreachable arrays, and {@code Refusals} makes the errors of calls with arrays that cannot be used.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.ndarray.storage;

import org.jspecify.annotations.NullMarked;
