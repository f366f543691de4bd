/**
 * The memory allocator's interface and its values.
 *
 * <p>Start at {@link dev.cairn.allocator.Allocator}: it allocates and frees {@link dev.cairn.allocator.Block}s of one
 * {@link dev.cairn.allocator.MemorySpace}. This package uses no other package. {@code bfc} has the allocator, {@code
 * source} the sources of raw memory, and {@code report} prints a {@link dev.cairn.allocator.MemoryMap}. {@code trace}
 * records allocations and {@code replay} repeats them under other policies. {@code flight} reports to Java Flight
 * Recorder.
 *
 * <p>Terms: a <em>region</em> is one range of memory from a source. <em>Chunks</em> cover a region without gaps. A
 * <em>block</em> is a chunk in use, as its owner sees it. The <em>pool</em> is all regions together. <em>Slack</em> is
 * the part of a block beyond the requested bytes. An <em>owner</em> is the label of a request. All ranges are
 * half-open, all sizes are in bytes.
 *
 * <p>This package does not depend on tensors, streams or graphs.
 */
@NullMarked
package dev.cairn.allocator;

import org.jspecify.annotations.NullMarked;
