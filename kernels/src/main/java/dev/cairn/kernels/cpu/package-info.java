/**
 * The host's processor, and the portable kernels: plain Java, correct first, the truth that every other twin is
 * compared with.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.CpuDevice}; kernels are one class a family of operators. A kernel shares its
 * loop among the device's threads through {@link dev.cairn.kernels.cpu.CpuStream#parallel}, and computes each output
 * element the same way whatever the number of threads. {@link dev.cairn.kernels.cpu.CpuFusedPointwise} runs programs
 * of others, block by block. Nothing here knows of graphs, or of any other kind of device.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu;

import org.jspecify.annotations.NullMarked;
