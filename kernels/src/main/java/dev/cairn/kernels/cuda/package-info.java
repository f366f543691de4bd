/**
 * The CUDA driver, through JCuda. Every result is checked.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.CudaDevice}. It holds a device's primary context, and creates streams,
 * events, modules, graphs and memory, which do not outlive it. {@link dev.cairn.kernels.cuda.CudaDriver} makes all
 * calls and throws {@link dev.cairn.kernels.cuda.CudaFailure} if one fails. A {@link dev.cairn.kernels.cuda.CudaStream}
 * runs work in order; its marks are sequence numbers that show its progress. A launch of a {@link
 * dev.cairn.kernels.cuda.CudaFunction} takes a {@link dev.cairn.kernels.cuda.LaunchShape} and a prebuilt {@link
 * dev.cairn.kernels.cuda.ArgumentBlock}.
 *
 * <p>This package does not know operators. The package {@code load} finds and loads the native libraries. To add a call
 * of the driver, add it to {@code CudaDriver}, check its result, attach the caller's facts to a failure, and call it in
 * {@code InjectedFaultsTest}. That test reads the list of calls from the class files, and fails if it misses one.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda;

import org.jspecify.annotations.NullMarked;
