package dev.cairn.runtime;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Listeners;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.flight.FlightListener;
import dev.cairn.allocator.flight.RecentEvents;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.allocator.stack.AllocatorStack;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The allocators of a session: that of the device, for weights and plans, and that of the host, for results; one and
 * the same where kernels use the host's memory. The latter is kept until the session and every result of it are closed:
 * a result may outlive its session. What the device's does is told to Java Flight Recorder and to whom the options
 * name; the last of what each did is in the report when it refuses. Thread-safe.
 */
final class SessionMemory {
  private final AllocatorStack stack;
  private final AtomicInteger holders = new AtomicInteger(1);

  private final Allocator ofResults;
  private final boolean shared;

  private SessionMemory(AllocatorStack stack, Allocator ofResults, boolean shared) {
    this.stack = stack;
    this.ofResults = ofResults;
    this.shared = shared;
  }

  /** Memory of a source, up to a limit; regions are as long as requests, since most of these are whole plans. */
  static SessionMemory over(SubAllocator source, long limitBytes, AllocationListener listener) {
    BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(limitBytes).withGrowth(BfcOptions.Growth.AS_REQUESTED);
    AllocationListener all = Listeners.of(new RecentEvents(), new FlightListener(source.space()), listener);
    // The core's own listener, which hears of regions too; the layer that listens hears of blocks alone.
    AllocatorStack stack = AllocatorStack.over(new BfcAllocator(source, options, all)).build();
    if (source.space().isHostAccessible()) {
      return new SessionMemory(stack, stack.allocator(), true);
    }
    BfcOptions ofResults = BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED);
    return new SessionMemory(stack, new BfcAllocator(new NettySubAllocator(), ofResults, new RecentEvents()), false);
  }

  Allocator allocator() {
    return stack.allocator();
  }

  /** The host's memory: the same where kernels use that. */
  Allocator hostAllocator() {
    return ofResults;
  }

  /** What is held now by all but weights, plans and inputs: open results of earlier runs, and variables. */
  long bytesBesidePlans() {
    MemoryMap map = allocator().memoryMap();
    long bytes = 0;
    for (int chunk = 0; chunk < map.chunkCount(); chunk++) {
      if (map.isInUse(chunk) && !isOfPlan(map.owner(chunk).operator())) {
        bytes += map.bytes(chunk);
      }
    }
    return bytes;
  }

  private static boolean isOfPlan(String owner) {
    return owner.equals("weights") || owner.equals("inputs") || owner.startsWith("plan/");
  }

  /**
   * Memory for the results of one run: a tensor for each type, not filled yet, which owns its memory.
   *
   * @param types by name of the output
   * @throws dev.cairn.allocator.OutOfMemory when they do not all fit; nothing is held then
   */
  Map<String, Tensor> newResults(Map<String, TensorType> types) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    try {
      types.forEach((name, type) -> tensors.put(name, newTensor(name, type)));
      return tensors;
    } catch (RuntimeException | Error e) {
      Tensor.closeAll(tensors.values());
      throw e;
    }
  }

  private Tensor newTensor(String name, TensorType type) {
    Block block = ofResults.allocate(type.bytes(), "result/" + name);
    holders.incrementAndGet();
    return Tensor.owning(new TensorView(type, block.segment()), () -> {
      ofResults.free(block);
      drop();
    });
  }

  /** Called once, by the session: the device's memory goes back now, and the results' with the last of them. */
  void release() {
    try {
      if (!shared) {
        stack.close();
      }
    } finally {
      drop();
    }
  }

  private void drop() {
    if (holders.decrementAndGet() > 0) {
      return;
    }
    if (shared) {
      stack.close();
    } else {
      ofResults.close();
    }
  }
}
