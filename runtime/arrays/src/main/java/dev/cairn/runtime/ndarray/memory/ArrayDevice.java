package dev.cairn.runtime.ndarray.memory;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.device.Closing;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.backend.Transfers;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.stream.StreamUses;
import dev.cairn.runtime.invoke.DispatchTable;
import dev.cairn.runtime.pass.fusion.FusedOperator;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A device that arrays lie on: kernels and memory. Memory that a stream may still use serves that stream at once, and
 * others when the stream is done with it (D-8).
 */
public final class ArrayDevice implements AutoCloseable {
  private static final int HELD_PART = 8;

  private final Backend backend;
  private final DeviceOptions options;
  private final DispatchTable table;
  private final BudgetShare budget;
  private final BfcAllocator pool;
  private final StreamTimeline streams = new StreamTimeline();
  /** The most bytes that may wait for streams: else memory would follow the program and not the GPU. */
  private final long mostHeldBytes;
  private final AtomicLong freedBytes = new AtomicLong();
  private volatile boolean isAhead;
  private final MemoryRoom room;
  private final Workspaces workspaces = new Workspaces(this);
  private final HostPlaces places;
  private final String name;
  private final ExecutionPlace place;
  private final boolean isHost;
  private final AtomicInteger users = new AtomicInteger(1);

  private ArrayDevice(Backend backend, DeviceOptions options, ArrayMemory memory, BudgetShare budget,
    DispatchTable table, int gpu) {
    this.backend = backend;
    this.options = options;
    this.budget = budget;
    this.table = table;
    this.isHost = backend.target().isHost();
    this.name = backend.target().device().id().toString();
    this.place = isHost ? ExecutionPlace.CPU : ExecutionPlace.gpu(gpu);
    SubAllocator source = budget.counting(backend.memory());
    this.mostHeldBytes = memory.usableBytes(source) / HELD_PART;
    this.pool = new BfcAllocator(source, memory.ofAllocator(source), AllocationListener.silent(), streams);
    this.room = new MemoryRoom(memory);
    this.places = new HostPlaces(memory);
  }

  /**
   * @param gpu its number among the engine's GPUs, if it is one
   * @param budget that it joins, if there is one
   */
  static ArrayDevice open(DeviceOptions wanted, int threads, OperatorRegistry operators, ArrayMemory memory, int gpu,
    Optional<MemoryBudget> budget) {
    return open(Backends.open(wanted, threads, Backends.MemorySource.of(new NettySubAllocator())), wanted, operators,
      memory, gpu, budget);
  }

  /** As the other, over a backend, which is closed if this throws. */
  static ArrayDevice open(Backend backend, DeviceOptions wanted, OperatorRegistry operators, ArrayMemory memory,
    int gpu, Optional<MemoryBudget> budget) {
    DispatchTable table = null;
    try {
      table = new DispatchTable(operators.table().with(FusedOperator.ROW), backend.catalog(operators),
        DispatchTable.LIMIT);
      var share = new BudgetShare(budget, backend.target().device().id().toString());
      var device = new ArrayDevice(backend, wanted, memory, share, table, gpu);
      share.join(device.pool);
      return device;
    } catch (RuntimeException | Error e) {
      end(table == null ? () -> {} : table::close, e);
      end(backend::close, e);
      throw e;
    }
  }

  private static void end(Runnable close, Throwable failure) {
    try {
      close.run();
    } catch (RuntimeException | Error further) {
      failure.addSuppressed(further);
    }
  }

  /** The name of the device as users write it: {@code cpu}, {@code cuda:0}. */
  public String name() {
    return name;
  }

  /** Whether the processor's kernels use its memory. */
  public boolean isHost() {
    return isHost;
  }

  Device device() {
    return backend.target().device();
  }

  /** How sessions open it. */
  public DeviceOptions options() {
    return isHost ? options.kind() == DeviceOptions.Kind.CPU ? options : DeviceOptions.CPU : options;
  }

  /** Temporary memory of kernels and functions. */
  public Workspaces workspaces() {
    return workspaces;
  }

  /** The part of the memory limit that is left for new arrays. */
  public MemoryRoom room() {
    return room;
  }

  /** Other memory that arrays of the processor can lie in. */
  public HostPlaces places() {
    return places;
  }

  /** Which kernels serve which calls. */
  public DispatchTable table() {
    return table;
  }

  /** Where the engine runs its operations. */
  public ExecutionPlace place() {
    return place;
  }

  /** The stream of operations that run on threads of the processor. */
  public Stream stream() {
    return backend.target().device().defaultStream();
  }

  public Transfers transfers() {
    return backend.target().transfers();
  }

  /** A block's memory; of a GPU's, an address and a length. */
  public MemorySegment segment(Block block) {
    return transfers().segment(block);
  }

  public AllocatorStats stats() {
    return pool.stats();
  }

  /** Memory for an array, or for a kernel's scratch, that the host or another device uses next. */
  public Block allocate(AllocationRequest request) {
    if (isAhead) {
      awaitStreams(mostHeldBytes);
    }
    try {
      return pool.allocate(request);
    } catch (OutOfMemory refused) {
      // Even if no stream is left to wait for, another thread may have freed memory since the refusal.
      workspaces.trim();
      awaitStreams(0);
      return budget.allocate(refused, () -> pool.allocate(request));
    }
  }

  /** Allocates a block for work that is given to a stream. */
  public Block allocate(AllocationRequest request, Stream stream) {
    return allocate(request.withStream(streams.number(stream)));
  }

  public void free(Block block) {
    pool.free(block);
    budget.freed();
  }

  /** Frees a block that streams may still use; does not wait. */
  public void free(Block block, StreamUses uses) {
    if (uses.count() == 0) {
      free(block);
    } else if (uses.count() == 1) {
      free(block, uses.stream(), uses.mark());
    } else {
      free(block, StreamTimeline.SEVERAL, streams.time(uses));
    }
  }

  /** Frees a block that a stream may use until it has passed a mark; does not wait. */
  void free(Block block, Stream stream, long mark) {
    free(block, streams.number(stream), mark);
  }

  private void free(Block block, int stream, long time) {
    pool.free(block, stream, time);
    if (freedBytes.addAndGet(block.bytes()) > mostHeldBytes) {
      freedBytes.set(0);
      isAhead = true;
    }
    budget.freed();
  }

  /** Waits until streams may still use no more than so many bytes of freed memory. */
  private void awaitStreams(long bytes) {
    isAhead = false;
    MemoryRoom.await(() -> pool.awaitedBytes() > bytes);
  }

  /** Gives idle memory back to the system. */
  long trim() {
    workspaces.trim();
    return pool.trim();
  }

  /** Keeps the memory until one more {@link #close}. */
  public void retain() {
    if (users.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
      throw new IllegalStateException("the memory of these arrays was given back");
    }
  }

  /** Gives all memory back, also that of arrays, which nothing can reach any more. No bytes are held. */
  void abandon() {
    try (backend; budget) {
      places.abandon();
      pool.abandon();
    }
  }

  /** The last call gives all memory back. */
  @Override
  public void close() {
    if (users.decrementAndGet() == 0) {
      try (backend; budget; places) {
        var closing = new Closing();
        closing.end(workspaces::close);
        closing.end(this::closePool);
        closing.throwFailure();
      }
    }
  }

  private void closePool() {
    try {
      pool.close();
    } catch (RuntimeException e) {
      // The source may not have taken a region back; blocks that are in use are refused again.
      pool.close();
    }
  }
}
