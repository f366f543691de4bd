/**
 * The driver layer on CUDA. Start at {@link dev.cairn.gpu.CudaUnderTest}: which CUDA the tests have. {@link
 * dev.cairn.gpu.OnCuda} is what a test with a device extends; {@link dev.cairn.gpu.Simulator} tells and asks the
 * simulated driver (faults, leaks, calls), {@link dev.cairn.gpu.SimulatedTimeline} is what its streams did; {@link
 * dev.cairn.gpu.DriverFunctions} lists the calls that Java makes; {@link dev.cairn.gpu.TrackedSources} is for the
 * allocator's suites. Kernels are tested in {@code gpu.kernel}, whole models in {@code gpu.model}.
 */
@NullMarked
package dev.cairn.gpu;

import org.jspecify.annotations.NullMarked;
