package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.Kernel;

/**
 * One of several kernels that could serve a call.
 *
 * @param name for people, and to know it again: {@code own}, {@code cuBLAS}, {@code cuDNN WINOGRAD}
 */
record Contender(String name, Kernel kernel) {}
