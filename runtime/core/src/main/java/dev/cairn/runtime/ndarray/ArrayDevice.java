package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.AllocatorSource;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.storage.StorageManager;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.custom.OperatorRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The device that arrays lie on: kernels, and a storage manager over an allocator that splits and joins. */
final class ArrayDevice implements AutoCloseable {
  private final Backend backend;
  private final BfcAllocator pool;
  private final StorageManager storage;
  private final Allocator allocator;
  private final AtomicInteger users = new AtomicInteger(1);

  private ArrayDevice(Backend backend, ArrayMemory memory) {
    this.backend = backend;
    this.pool = new BfcAllocator(backend.memory(), BfcOptions.DEFAULT.withLimitBytes(memory.limitBytes()));
    this.storage = new StorageManager(List.of(memory.open(new AllocatorSource(pool))));
    this.allocator = storage.allocatorOf(pool.space());
  }

  static ArrayDevice open(ArrayOptions options) {
    return new ArrayDevice(Backends.open(options.device(), options.threads(), Backends.MemorySource.of(
      new NettySubAllocator())), options.memory());
  }

  KernelCatalog catalog(OperatorRegistry operators) {
    return backend.catalog(operators);
  }

  Stream stream() {
    return backend.target().device().defaultStream();
  }

  Allocator allocator() {
    return allocator;
  }

  /**
   * Memory for an array, or for a kernel's scratch.
   *
   * @param live what holds memory, for the message of a refusal
   */
  Block allocate(AllocationRequest request, LiveStorages live) {
    try {
      return allocator.allocate(request);
    } catch (OutOfMemory refused) {
      throw explained(refused).with(live.holders());
    }
  }

  /** To the storage manager the pool is a source, whatever its reason; the limit that was reached may be the pool's. */
  private OutOfMemory explained(OutOfMemory refused) {
    return refused.reason() == OutOfMemory.Reason.SOURCE_REFUSED
      ? new OutOfMemory(refused.request(), refused.roundedBytes(), pool.memoryMap())
      : refused;
  }

  /** Gives idle memory back to the system. */
  long trim() {
    storage.trim(pool.space());
    return pool.trim();
  }

  /** Keeps the memory until one more {@link #close}. */
  void retain() {
    if (users.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
      throw new IllegalStateException("the memory of these arrays was given back");
    }
  }

  /** The last call gives all memory back. */
  @Override
  public void close() {
    if (users.decrementAndGet() == 0) {
      try (backend; pool) {
        storage.close();
      }
    }
  }
}
