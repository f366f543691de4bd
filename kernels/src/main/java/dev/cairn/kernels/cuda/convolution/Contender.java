package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.catalog.Kernel;

/**
 * One of several candidate kernels for a call.
 *
 * @param name a unique name, also for users: {@code own}, {@code cuBLAS}, {@code cuDNN WINOGRAD}
 */
record Contender(String name, Kernel kernel) {}
