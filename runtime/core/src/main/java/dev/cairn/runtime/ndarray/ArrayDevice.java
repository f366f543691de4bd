package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.Allocator;
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

/** The device that arrays lie on: kernels, and a storage manager over an allocator that splits and joins. */
final class ArrayDevice implements AutoCloseable {
  private final Backend backend;
  private final BfcAllocator pool;
  private final StorageManager storage;
  private final Allocator allocator;

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

  /** Gives idle memory back to the system. */
  long trim() {
    storage.trim(pool.space());
    return pool.trim();
  }

  @Override
  public void close() {
    try (backend; pool) {
      storage.close();
    }
  }
}
