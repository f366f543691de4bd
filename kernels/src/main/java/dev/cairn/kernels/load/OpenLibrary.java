package dev.cairn.kernels.load;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A library that the dynamic loader keeps open until {@link DynamicLoader#close} or the end of the process.
 *
 * @param handle the result of {@code dlopen}
 * @param file the library's path, as the loader reports it
 */
public record OpenLibrary(MemorySegment handle, Path file) {}
