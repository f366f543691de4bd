/**
 * Normalisation over batches, groups, instances, rows and neighbouring channels, and gradients.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.normalization.CpuLayerNormalization} and its twin {@link
 * dev.cairn.kernels.cpu.normalization.VectorLayerNormalization}. {@link dev.cairn.kernels.cpu.normalization.Moments}
 * computes mean and variance in {@code double}; {@link dev.cairn.kernels.cpu.normalization.ChannelPlanes} walks the
 * planes of channels.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.normalization;

import org.jspecify.annotations.NullMarked;
