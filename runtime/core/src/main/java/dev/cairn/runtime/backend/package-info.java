/**
 * What models run on: a device, its kernels, its memory, and how bytes get there and back.
 *
 * <p>Start at {@link dev.cairn.runtime.backend.Backend}. {@link dev.cairn.runtime.backend.HostBackend} is the
 * processor: kernels read and write the host's memory, and nothing is copied.
 * {@link dev.cairn.runtime.backend.CudaBackend} is a GPU: its {@link dev.cairn.runtime.backend.Transfers} go through
 * pinned memory, and views of its memory are addresses that the host never reads.
 * {@link dev.cairn.runtime.backend.DeviceOptions} says which is wanted, {@link dev.cairn.runtime.backend.Backends}
 * opens it. Nothing here knows graphs.
 */
@NullMarked
package dev.cairn.runtime.backend;

import org.jspecify.annotations.NullMarked;
