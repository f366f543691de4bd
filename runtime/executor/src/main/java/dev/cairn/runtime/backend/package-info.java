/**
 * The devices that models run on: kernels, memory, and copies to and from that memory.
 *
 * <p>Start at {@link dev.cairn.runtime.backend.Backend}. {@link dev.cairn.runtime.backend.HostBackend} is the
 * processor: kernels read and write host memory, and nothing is copied. {@link dev.cairn.runtime.backend.CudaBackend}
 * is a GPU: its {@link dev.cairn.runtime.backend.Transfers} go through page-locked memory, and the host never reads the
 * addresses in views of its memory. {@link dev.cairn.runtime.backend.DeviceOptions} selects a backend, and {@link
 * dev.cairn.runtime.backend.Backends} opens it. This package does not know graphs.
 */
@NullMarked
package dev.cairn.runtime.backend;

import org.jspecify.annotations.NullMarked;
