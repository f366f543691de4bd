/**
 * Attention, its gradient, and rotary embeddings.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.attention.CpuAttention} and its twin {@link
 * dev.cairn.kernels.cpu.attention.VectorAttention}, which turns products of queries and keys into
 * shares in {@link dev.cairn.kernels.cpu.attention.AttentionScores}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.attention;

import org.jspecify.annotations.NullMarked;
