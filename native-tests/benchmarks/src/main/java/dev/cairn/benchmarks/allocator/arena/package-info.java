/**
 * The allocators that are compared, behind one face.
 *
 * <p>Start at {@link dev.cairn.benchmarks.allocator.arena.ArenaKind}, which opens them. {@code CairnArena} alone
 * calls Cairn's allocator, {@code OrtArena} alone ONNX Runtime's: an {@code OrtApi} is the library's table of
 * functions, an {@code OrtRuntime} gives out sessions. Nothing here knows what is measured.
 */
@NullMarked
package dev.cairn.benchmarks.allocator.arena;

import org.jspecify.annotations.NullMarked;
