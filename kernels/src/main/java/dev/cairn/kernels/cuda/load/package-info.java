/**
 * Finding NVIDIA's libraries and loading JCuda over them, safely and on any machine.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.load.CudaLibraries}. The <em>driver</em> is {@code libcuda.so.1}, without
 * which there is no GPU; the <em>libraries</em> are NVRTC and cuBLAS, either of which may be absent, and cuDNN, which
 * {@link dev.cairn.kernels.cuda.load.CudnnLibraries} looks for when it is first wanted and JCuda has no part in; a
 * <em>native</em> is the file with which JCuda reaches one of the first three. Natives lie in a private cache
 * ({@link dev.cairn.kernels.load.NativeFiles}), and are rewritten for CUDA 13 on the way there
 * ({@code ElfPatch}). Nothing here knows of devices' memory, kernels or tensors, and nothing calls JCuda: its classes
 * are initialised by name. To look in one more place, add it to {@code LibraryPlaces}.
 */
@NullMarked
package dev.cairn.kernels.cuda.load;

import org.jspecify.annotations.NullMarked;
