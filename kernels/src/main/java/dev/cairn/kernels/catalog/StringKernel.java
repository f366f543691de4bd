package dev.cairn.kernels.catalog;

/**
 * A kernel that reads or makes strings. Results of strings have no memory before the call: the kernel makes them, and
 * binds them with {@link KernelCall#bindOutput}.
 */
@FunctionalInterface
public interface StringKernel extends Kernel {}
