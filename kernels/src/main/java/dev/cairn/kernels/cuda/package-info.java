/**
 * The CUDA driver, through JCuda, with every result checked.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.CudaDevice}: it holds a device's primary context, and from it come streams,
 * events, modules, graphs and memory, which end with it at the latest. {@link dev.cairn.kernels.cuda.CudaDriver} makes
 * all calls; a result that is no success becomes a {@link dev.cairn.kernels.cuda.CudaFailure}. A {@link
 * dev.cairn.kernels.cuda.CudaStream} is the order of work; its marks, plain sequence numbers, say how far it has come.
 * A {@link dev.cairn.kernels.cuda.CudaFunction} is launched with a {@link dev.cairn.kernels.cuda.LaunchShape} and a
 * prebuilt {@link dev.cairn.kernels.cuda.ArgumentBlock}.
 *
 * <p>Nothing here knows operators; finding and loading the native libraries is the business of {@code load}. To make
 * one more call of the driver, add it to {@code CudaDriver}, checked and with the facts that its caller knows, and
 * call it in {@code InjectedFaultsTest}: that test reads from the class files which calls there are, and fails when one
 * is not made.
 */
@NullMarked
package dev.cairn.kernels.cuda;

import org.jspecify.annotations.NullMarked;
