/**
 * Finds NVIDIA's libraries and loads JCuda over them, safely and on any machine.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.load.CudaLibraries}. The <em>driver</em> is {@code libcuda.so.1}; without
 * it no GPU is usable. The <em>libraries</em> are NVRTC and cuBLAS, each of which may be missing, and cuDNN. {@link
 * dev.cairn.kernels.cuda.load.CudnnLibraries} loads cuDNN on demand, without JCuda. A <em>native</em> is JCuda's own
 * library over the driver, NVRTC or cuBLAS. Natives are in a private cache ({@link
 * dev.cairn.kernels.load.NativeFiles}); for CUDA 13, {@code ElfPatch} rewrites them first. This package does not know
 * devices' memory, kernels or tensors. It does not call JCuda, but initialises its classes by name. To search another
 * place, add it to {@code LibraryPlaces}.
 */
@NullMarked
package dev.cairn.kernels.cuda.load;

import org.jspecify.annotations.NullMarked;
