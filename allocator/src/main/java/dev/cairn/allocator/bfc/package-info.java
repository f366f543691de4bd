/**
 * Best fit with coalescing: one allocator over the regions that a source supplies.
 *
 * <p>Start at {@link dev.cairn.allocator.bfc.BfcAllocator}, the locked face; {@code BfcHeap} is what it locks. A
 * <em>region</em> is one range got from the source; <em>chunks</em> cover each region without gaps, each wholly free or
 * wholly in use, linked in address order; a <em>bin</em> indexes the free chunks of one size class by size and address.
 * A chunk is an int, a row in {@code ChunkTable}; to callers it is a long <em>handle</em> that also tells one grant of
 * the row from the next.
 *
 * <p>The semantics are those of TensorFlow's and XLA's BFC allocator; what differs is said where it differs. Nothing
 * here knows of devices or streams. To change when a chunk is split, write another {@link
 * dev.cairn.allocator.bfc.SplitPolicy}, which {@code SplitRule} asks; to change where regions come from, write another
 * sub-allocator.
 */
@NullMarked
package dev.cairn.allocator.bfc;

import org.jspecify.annotations.NullMarked;
