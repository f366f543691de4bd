/**
 * Memory maps as files: text, JSON, PyTorch's snapshot pickle, and a page of HTML.
 *
 * <p>Start at {@link dev.cairn.runtime.report.dump.MemoryDumps}, which writes and reads files with a {@link
 * dev.cairn.runtime.report.dump.MemorySnapshot}. Each format has a class: {@link
 * dev.cairn.runtime.report.dump.MemorySnapshotJson} (complete and readable), {@link
 * dev.cairn.runtime.report.dump.PytorchSnapshot} (for PyTorch's viewers), and for text {@link
 * dev.cairn.allocator.report.MemoryMapText}. All of them stream: a million chunks need no memory beyond the map. {@code
 * docs/memory-dump.md} describes the formats.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.report.dump;

import org.jspecify.annotations.NullMarked;
