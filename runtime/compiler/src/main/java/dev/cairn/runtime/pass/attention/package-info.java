/**
 * Fuses attention: replaces the products, scale, mask and softmax that exporters write by one node, so that the scores
 * of all queries with all keys are never stored.
 *
 * <p>Start at {@link dev.cairn.runtime.pass.attention.FuseAttentionPass}; it finds the pattern. {@link
 * dev.cairn.runtime.pass.attention.MergeHeadsPass} then takes away the transpositions around it. A <em>step</em> is a
 * node during a pass: the original node, which has the facts, and its current replacement.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.pass.attention;

import org.jspecify.annotations.NullMarked;
