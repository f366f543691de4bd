package dev.cairn.runtime.ndarray.memory;

import dev.cairn.allocator.Allocator;

/**
 * Memory of the host, besides the ordinary one, that arrays can lie in. The processor computes with such arrays, and
 * results lie in ordinary memory.
 *
 * @param name as users name it
 * @param allocator of the memory
 * @param isPageLocked whether a GPU copies from and to it without a detour; then the memory ends with the GPU
 */
public record HostPlace(String name, Allocator allocator, boolean isPageLocked) {}
