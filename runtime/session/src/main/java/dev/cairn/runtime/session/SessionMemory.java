package dev.cairn.runtime.session;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Listeners;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.flight.FlightListener;
import dev.cairn.allocator.flight.RecentEvents;
import dev.cairn.allocator.layer.GuardingAllocator;
import dev.cairn.allocator.layer.ReservingAllocator;
import dev.cairn.allocator.layer.TrimmingAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.Location;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.budget.MemoryQueue;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMemory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a session: the device's, for weights, plans and results that stay there; and where that is not the
 * host's, the host's for results. Weights and plans have regions of their own, and results share a pool: so a result
 * that is still open keeps nothing of a plan that is gone. The device's memory, and the device, are kept until the
 * session and every result in it are closed. Java Flight Recorder, and the listener that the options name, get the
 * events of the device's allocator; the last of it is in the report when it refuses. Thread-safe.
 */
final class SessionMemory {
  private final Backend backend;
  private final Optional<GuardingAllocator> guarding;
  private final BfcAllocator core;
  private final OpenResults results;
  private final Allocator pool;
  private final Allocator regions;
  private final Allocator hostRegions;
  private final @Nullable HostTensors hostTensors;
  private final AtomicInteger holders = new AtomicInteger(1);
  private final MemoryBudget budget;
  private final Duration waitingTime;
  private MemoryBudget.@Nullable Member member;
  private List<MemoryQueue.Room> room = List.of();

  /**
   * @param backend closed with this
   * @throws IllegalArgumentException when red zones are asked for in memory that the host cannot read
   */
  SessionMemory(Backend backend, MemoryOptions wanted) {
    boolean isHost = backend.target().isHost();
    if (wanted.guardBytes() > 0 && !isHost) {
      throw new IllegalArgumentException("red zones work on the processor only: device=" + backend.target()
        .device().id());
    }
    this.budget = wanted.budget().orElseGet(MemoryBudget::unlimited);
    this.waitingTime = wanted.waitingTime();
    BfcOptions options = wanted.ofAllocator();
    this.results = new OpenResults(backend.target());
    this.core = new BfcAllocator(budget.counting(backend.memory()), options,
      Listeners.of(new RecentEvents(), new FlightListener(backend
        .memory().space()), wanted.listener()),
      results);
    this.backend = backend;
    this.guarding = wanted.guardBytes() == 0
      ? Optional.empty()
      : Optional.of(new GuardingAllocator(core, wanted.guardBytes()));
    this.pool = trimmed(guarding.isPresent() ? guarding.get() : core, wanted);
    try {
      this.regions = wanted.growth() == MemoryGrowth.WHOLE ? pool : new ReservingAllocator(pool);
      this.hostRegions = isHost ? regions : new BfcAllocator(new NettySubAllocator(), HostTensors.OPTIONS);
      this.hostTensors = isHost ? null : new HostTensors(backend, wanted);
    } catch (RuntimeException | Error e) {
      // The thread that trims the pool would not end.
      pool.close();
      throw e;
    }
  }

  /** The allocator, with the layer that trims it if the options name a schedule. */
  static Allocator trimmed(Allocator allocator, MemoryOptions wanted) {
    return wanted.trim().<Allocator>map(it -> new TrimmingAllocator(allocator, it)).orElse(allocator);
  }

  /** The layer that watches over the red zones during runs; {@link RunObserver.Source#NONE} without any. */
  RunObserver.Source guard() {
    return guarding.<RunObserver.Source>map(zones -> graph -> new RedZoneCheck(zones, graph)).orElse(
      RunObserver.Source.NONE);
  }

  /**
   * Joins the budget; called once, before the first {@link #begin}.
   *
   * @param session gives back what no run uses when the budget's sessions lack memory
   * @throws IllegalArgumentException when the budget is another device's
   */
  void join(MemoryBudget.Member session) {
    budget.join(session, backend.target().device().id().toString());
    member = session;
    room = budget.roomFor(session);
  }

  /** Leaves the budget, which no longer asks the session for memory. */
  void leave() {
    MemoryBudget.Member joined = member;
    if (joined != null) {
      budget.leave(joined);
    }
  }

  /**
   * Does something that takes memory, perhaps after waiting for it; the caller is under way until {@link #end}.
   *
   * @throws OutOfMemory when there is too little although no other run is under way
   * @throws dev.cairn.runtime.executor.RunStopped when the limit is reached before
   */
  <T> T begin(Supplier<T> work, RunLimit limit) {
    return budget.queue().begin(new MemoryQueue.Request<>(work, room, waitingTime, limit));
  }

  /** The queue of runs that wait for memory. It also counts runs that wait for locks: {@link MemoryQueue#beginWait}. */
  MemoryQueue queue() {
    return budget.queue();
  }

  /** Ends what was begun, on the same thread. */
  void end() {
    budget.queue().end();
  }

  /**
   * A refusal with the least limit that would do, of the session or of the budget.
   *
   * @param leastBytes what the session needs for the request and all that belongs to it
   */
  OutOfMemory explained(OutOfMemory refusal, long leastBytes) {
    return budget.explained(refusal.withLeastLimit(leastBytes), leastBytes, pool.stats().poolBytes());
  }

  /**
   * Moves results that nothing uses, so that free memory lies together, and gives empty regions back.
   *
   * @return bytes moved
   * @throws IllegalStateException when blocks have red zones
   */
  long compact() {
    if (guarding.isPresent()) {
      throw new IllegalStateException("red zones exclude compaction: blocks stay where their zones are");
    }
    long bytes = core.compact();
    budget.queue().released();
    return bytes;
  }

  /** The source of values of single runs. */
  Allocator pool() {
    return pool;
  }

  /** The source of weights and plans: each block has a region of its own, which goes back when it is freed. */
  Allocator regions() {
    return regions;
  }

  /** The source of the host's memory for computing constants: the same as for weights where kernels use that. */
  Allocator hostRegions() {
    return hostRegions;
  }

  /** The memory that is held now, without weights, variables, plans and inputs: open results of earlier runs. */
  long bytesBesidePlans() {
    MemoryMap map = pool.memoryMap();
    long bytes = 0;
    for (int chunk = 0; chunk < map.chunkCount(); chunk++) {
      if (map.isInUse(chunk) && !isOfPlan(map.owner(chunk).operator())) {
        bytes += map.bytes(chunk);
      }
    }
    return bytes;
  }

  private static boolean isOfPlan(String owner) {
    return owner.startsWith("weights") || owner.startsWith("variable/") || owner.equals("inputs") || owner.startsWith(
      "plan/");
  }

  /** An output of the model, and the owner of its results' memory. Made once for all runs. */
  record Output(TensorType type, Owner owner) {
    static Output of(String name, TensorType type) {
      return new Output(type, new Owner("result", name, type.toString()));
    }
  }

  /**
   * Memory for the results of one run: a tensor for each type, not filled yet, which owns its memory.
   *
   * @param outputs by name
   * @param staysOnDevice which outputs are to stay on the device
   * @throws dev.cairn.allocator.OutOfMemory when they do not all fit; nothing is held then
   */
  Map<String, Tensor> newResults(Map<String, Output> outputs, Predicate<String> staysOnDevice) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    try {
      outputs.forEach((name, output) -> tensors.put(name, newResult(output, staysOnDevice.test(name))));
      return tensors;
    } catch (RuntimeException | Error e) {
      Result.closeAll(tensors.values());
      throw e;
    }
  }

  /** Like {@link #newResults}, for one output. */
  Tensor newResult(Output output, boolean staysOnDevice) {
    HostTensors onHost = hostTensors;
    return onHost == null || staysOnDevice
      ? owning(output.type, pool.allocate(AllocationRequest.of(output.type.bytes(), output.owner)))
      : onHost.newTensor(output.owner.label(), output.type);
  }

  /** The tensor that owns a block of the pool. */
  Tensor owning(TensorType type, Block block) {
    holders.incrementAndGet();
    Runnable release = () -> {
      pool.free(results.current(block));
      results.remove(block);
      drop();
      budget.queue().released();
    };
    var transfers = backend.target().transfers();
    var view = new TensorView(type, transfers.segment(block).asSlice(0, type.bytes()));
    TensorMemory bytes = backend.target().isHost()
      ? TensorMemory.owned(LocatedView.onHost(view), release)
      : TensorMemory.owned(new LocatedView(view, Location.DEVICE), release, new TensorMemory.OnDevice(backend.target()
        .device().id(), transfers));
    // Blocks with red zones are not where the allocator put them.
    if (guarding.isEmpty() && !block.isEmpty()) {
      results.add(bytes, block);
    }
    return bytes.tensor();
  }

  /** A tensor in the memory from which this device takes inputs without copying them first. */
  Tensor newInput(TensorType type) {
    HostTensors onHost = hostTensors;
    return onHost == null ? TensorMemory.filled(type, _ -> {}).tensor() : onHost.newTensor("input", type);
  }

  /** Ends what this has made itself, of a session that could not be opened: nothing of it is in use. */
  void closePools() {
    HostTensors onHost = hostTensors;
    try {
      pool.close();
    } finally {
      if (onHost != null) {
        close(onHost);
      }
    }
  }

  /** Called once, by the session: what is still held then goes back with the last result that holds it. */
  void release() {
    HostTensors onHost = hostTensors;
    try {
      drop();
    } finally {
      try {
        if (onHost != null) {
          close(onHost);
        }
      } finally {
        budget.queue().released();
      }
    }
  }

  private void close(HostTensors onHost) {
    try {
      hostRegions.close();
    } finally {
      onHost.release();
    }
  }

  private void drop() {
    if (holders.decrementAndGet() == 0) {
      try (backend) {
        closePool();
      }
    }
  }

  /** Nothing holds memory any more, but blocks may be left that could not be freed. */
  private void closePool() {
    try {
      pool.close();
    } catch (RuntimeException e) {
      if (core.stats().liveCount() == 0) {
        // The source did not take a region back.
        pool.close();
        return;
      }
      try {
        core.abandon();
        // Ends the thread that trims, which goes on while blocks are in use.
        pool.close();
      } catch (RuntimeException closed) {
        e.addSuppressed(closed);
      }
      throw e;
    }
  }
}
