/**
 * Attention, of the operators that exporters write for it: one node in place of products, scale, mask and softmax, so
 * that the scores of all queries with all keys never lie in memory.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.attention.FuseAttentionPass}; it finds the pattern.
 * {@link dev.cairn.runtime.pass.attention.MergeHeadsPass} then takes away the transpositions around it. A
 * <em>step</em> is a node as a pass sees it: as it was, by which facts are found, and as it is now.
 */
@NullMarked
package dev.cairn.runtime.pass.attention;

import org.jspecify.annotations.NullMarked;
