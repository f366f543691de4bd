/**
 * The host's processor as a device, and the threads that share a kernel's loop.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.team.CpuDevice}. A kernel shares its loop among the device's threads
 * through {@link dev.cairn.kernels.cpu.team.CpuStream#parallel}, and computes each output element the same way
 * whatever the number of threads. {@link dev.cairn.kernels.cpu.team.WorkerTeam} has threads of its own; {@link
 * dev.cairn.kernels.cpu.team.SharedTeam} uses those of a library. Nothing here knows of graphs, or of any other kind
 * of device.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.team;

import org.jspecify.annotations.NullMarked;
