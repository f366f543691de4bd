package dev.cairn.kernels.load;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A library that the dynamic loader holds, until {@link DynamicLoader#close} or the end of the process.
 *
 * @param handle what {@code dlopen} answered
 * @param file where it lies, by the loader's own word
 */
public record OpenLibrary(MemorySegment handle, Path file) {}
