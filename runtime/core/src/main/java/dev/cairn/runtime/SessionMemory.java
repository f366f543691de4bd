package dev.cairn.runtime;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The allocators of a session: that of the device, for weights and plans, and that of the host, for results; one and the
 * same where kernels use the host's memory. The latter is kept until the session and every result of it are closed: a
 * result may outlive its session. Thread-safe.
 */
final class SessionMemory {
  private final Allocator allocator;
  private final Allocator ofResults;
  private final AtomicInteger holders = new AtomicInteger(1);

  /** Where kernels use the host's memory. */
  SessionMemory(Allocator allocator) {
    this(allocator, allocator);
  }

  /** @param ofResults of memory that the host reads */
  SessionMemory(Allocator allocator, Allocator ofResults) {
    this.allocator = allocator;
    this.ofResults = ofResults;
  }

  Allocator allocator() {
    return allocator;
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
      if (allocator != ofResults) {
        allocator.close();
      }
    } finally {
      drop();
    }
  }

  private void drop() {
    if (holders.decrementAndGet() == 0) {
      ofResults.close();
    }
  }
}
