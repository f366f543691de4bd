/**
 * Memory maps as files: text, JSON, and PyTorch's snapshot pickle.
 *
 * <p>Start at {@link dev.cairn.runtime.report.dump.MemoryDumps}, which writes and reads files; what they hold is a
 * {@link dev.cairn.runtime.report.dump.MemorySnapshot}. One class a format:
 * {@link dev.cairn.runtime.report.dump.MemorySnapshotJson} (complete, read again),
 * {@link dev.cairn.runtime.report.dump.PytorchSnapshot} (for PyTorch's viewers), and for text
 * {@link dev.cairn.allocator.report.MemoryMapText}. All of them write as they go: a million chunks need no more memory
 * than the map has. {@code docs/memory-dump.md} describes the formats.
 */
@NullMarked
package dev.cairn.runtime.report.dump;

import org.jspecify.annotations.NullMarked;
