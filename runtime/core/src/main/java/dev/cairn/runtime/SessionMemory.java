package dev.cairn.runtime;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Listeners;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.flight.FlightListener;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.allocator.stack.AllocatorStack;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The allocator of a session, kept until the session and every result of it are closed: a result may outlive its
 * session. What it does is told to Java Flight Recorder and to whom the options name. Thread-safe.
 */
final class SessionMemory {
  private final AllocatorStack stack;
  private final AtomicInteger holders = new AtomicInteger(1);

  private SessionMemory(AllocatorStack stack) {
    this.stack = stack;
  }

  /** Memory of a source, up to a limit; regions are as long as requests, since most of these are whole plans. */
  static SessionMemory over(SubAllocator source, long limitBytes, AllocationListener listener) {
    BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(limitBytes).withGrowth(BfcOptions.Growth.AS_REQUESTED);
    AllocationListener all = Listeners.of(new FlightListener(source.space()), listener);
    // The core's own listener, which hears of regions too; the layer that listens hears of blocks alone.
    return new SessionMemory(AllocatorStack.over(new BfcAllocator(source, options, all)).build());
  }

  Allocator allocator() {
    return stack.allocator();
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
    Block block = allocator().allocate(type.bytes(), "result/" + name);
    holders.incrementAndGet();
    return Tensor.owning(new TensorView(type, block.segment()), () -> {
      allocator().free(block);
      release();
    });
  }

  /** Called once by the session and once for each tensor; the last one closes the allocator. */
  void release() {
    if (holders.decrementAndGet() == 0) {
      stack.close();
    }
  }
}
