/**
 * The best-fit allocator with coalescing (BFC), over the regions of one memory source.
 *
 * <p>Start at {@link dev.cairn.allocator.bfc.BfcAllocator}, which adds a lock to {@code BfcHeap}. A <em>region</em> is
 * one range of memory from the source. <em>Chunks</em> cover each region without gaps; each is free or in use, and they
 * are linked in address order. A <em>bin</em> indexes the free chunks of one size class by size and address. Inside, a
 * chunk is an int, its row in {@code ChunkTable}. Callers get a long <em>handle</em>, which also tells successive uses
 * of one row apart.
 *
 * <p>It behaves like TensorFlow's and XLA's BFC allocator; comments mark the differences. It does not depend on devices
 * or streams. To change when chunks are split, write another {@link dev.cairn.allocator.bfc.SplitPolicy}; to change
 * where regions come from, write another sub-allocator.
 */
@NullMarked
package dev.cairn.allocator.bfc;

import org.jspecify.annotations.NullMarked;
