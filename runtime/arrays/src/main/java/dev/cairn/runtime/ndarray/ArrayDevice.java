package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.bfc.SplitPolicy;
import dev.cairn.allocator.source.AllocatorSource;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.storage.StorageManager;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.backend.Transfers;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.invoke.DispatchTable;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A device that arrays lie on: kernels, and a storage manager over an allocator that splits and joins. */
final class ArrayDevice implements AutoCloseable {
  private final Backend backend;
  private final DeviceOptions options;
  private final DispatchTable table;
  private final BfcAllocator pool;
  private final StorageManager storage;
  private final Allocator allocator;
  private final PendingFrees frees;
  private final MemoryRoom room;
  private final DeviceConstants constants = new DeviceConstants(this);
  private final Workspaces workspaces = new Workspaces(this);
  private final String name;
  private final ExecutionPlace place;
  private final boolean isHost;
  private final AtomicInteger users = new AtomicInteger(1);

  private ArrayDevice(Backend backend, DeviceOptions wanted, ArrayOptions options, int gpu) {
    this.backend = backend;
    this.options = wanted;
    this.isHost = backend.target().isHost();
    this.name = backend.target().device().id().toString();
    this.place = isHost ? ExecutionPlace.CPU : ExecutionPlace.gpu(gpu);
    this.table = new DispatchTable(options.operators().table(), backend.catalog(options.operators()),
      DispatchTable.LIMIT);
    ArrayMemory memory = options.memory();
    this.pool = new BfcAllocator(backend.memory(), bfcOptions(memory));
    this.storage = new StorageManager(List.of(memory.open(new AllocatorSource(pool))));
    this.allocator = storage.allocatorOf(pool.space());
    this.frees = new PendingFrees(allocator);
    this.room = new MemoryRoom(memory);
  }

  /** Under a limit nothing is given away: a block of up to twice the bytes would else be granted whole. */
  private static BfcOptions bfcOptions(ArrayMemory memory) {
    BfcOptions limited = BfcOptions.DEFAULT.withLimitBytes(memory.limitBytes());
    return memory.limitBytes() == Long.MAX_VALUE ? limited : limited.withSplit(SplitPolicy.exact());
  }

  /** @param gpu its number among the engine's GPUs, if it is one */
  static ArrayDevice open(DeviceOptions wanted, ArrayOptions options, int gpu) {
    return new ArrayDevice(Backends.open(wanted, options.threads(), Backends.MemorySource.of(
      new NettySubAllocator())), wanted, options, gpu);
  }

  /** As users name it: {@code cpu}, {@code cuda:0}. */
  String name() {
    return name;
  }

  /** Whether the processor's kernels use its memory. */
  boolean isHost() {
    return isHost;
  }

  Device device() {
    return backend.target().device();
  }

  /** How sessions open it. */
  DeviceOptions options() {
    return isHost ? options.kind() == DeviceOptions.Kind.CPU ? options : DeviceOptions.CPU : options;
  }

  /** Constants that were copied to it. */
  DeviceConstants constants() {
    return constants;
  }

  /** Temporary memory of kernels and functions. */
  Workspaces workspaces() {
    return workspaces;
  }

  /** The part of the memory limit that is left for new arrays. */
  MemoryRoom room() {
    return room;
  }

  /** Which kernels serve which calls. */
  DispatchTable table() {
    return table;
  }

  /** Where the engine runs its operations. */
  ExecutionPlace place() {
    return place;
  }

  /** The stream of operations that run on threads of the processor. */
  Stream stream() {
    return backend.target().device().defaultStream();
  }

  Transfers transfers() {
    return backend.target().transfers();
  }

  /** A block's memory; of a GPU's, an address and a length. */
  MemorySegment segment(Block block) {
    return transfers().segment(block);
  }

  AllocatorStats stats() {
    frees.freeDone();
    return allocator.stats();
  }

  /**
   * Memory for an array, or for a kernel's scratch.
   *
   * @param live what holds memory, for the message of a refusal
   */
  Block allocate(AllocationRequest request, LiveStorages live) {
    if (!isHost) {
      frees.makeRoom();
    }
    try {
      return allocator.allocate(request);
    } catch (OutOfMemory refused) {
      // Even if nothing is left to free, another thread may have freed memory since the refusal.
      workspaces.trim();
      frees.freeAll();
    }
    try {
      return allocator.allocate(request);
    } catch (OutOfMemory refused) {
      throw explained(refused).with(live.holders(this));
    }
  }

  /** To the storage manager the pool is a source, whatever its reason; the limit that was reached may be the pool's. */
  private OutOfMemory explained(OutOfMemory refused) {
    return refused.reason() == OutOfMemory.Reason.SOURCE_REFUSED
      ? new OutOfMemory(refused.request(), refused.roundedBytes(), pool.memoryMap())
      : refused;
  }

  void free(Block block) {
    allocator.free(block);
  }

  /** Frees the block when streams are done with it; does not wait. */
  void free(Block block, BooleanSupplier areStreamsDone) {
    frees.add(block, areStreamsDone);
  }

  /** Gives idle memory back to the system. */
  long trim() {
    workspaces.trim();
    frees.freeDone();
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
      try (backend; pool; storage) {
        workspaces.close();
        frees.freeAll();
      }
    }
  }
}
