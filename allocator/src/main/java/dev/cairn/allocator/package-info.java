/**
 * Bytes: who holds which range of which memory.
 *
 * <p>Start at {@link dev.cairn.allocator.Allocator}: it grants {@link dev.cairn.allocator.Block}s of one
 * {@link dev.cairn.allocator.MemorySpace} and takes them back. This package is the contract and its values; it uses no
 * other package. The allocator itself is in {@code bfc}, the places that raw memory comes from are in {@code source},
 * and {@code report} turns a {@link dev.cairn.allocator.MemoryMap} into words. {@code trace} records what allocators do
 * and {@code replay} does it again under other policies; {@code flight} tells Java Flight Recorder.
 *
 * <p>Words: a <em>region</em> is one range got from a source; <em>chunks</em> cover it without gaps; a <em>block</em>
 * is a chunk as its holder sees it; the <em>pool</em> is all regions together; <em>slack</em> is what a block has
 * beyond what was asked for; an <em>owner</em> is the label of whoever asked. All ranges are half-open, all quantities
 * bytes.
 *
 * <p>Nothing here knows of tensors, devices' streams or graphs.
 */
@NullMarked
package dev.cairn.allocator;

import org.jspecify.annotations.NullMarked;
