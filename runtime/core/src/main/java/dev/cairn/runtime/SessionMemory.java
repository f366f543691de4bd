package dev.cairn.runtime;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The allocator of a session, kept until the session and every result of it are closed: a result may outlive its
 * session. Thread-safe.
 */
final class SessionMemory {
  private final Allocator allocator;
  private final AtomicInteger holders = new AtomicInteger(1);

  SessionMemory(Allocator allocator) {
    this.allocator = allocator;
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
    Block block = allocator.allocate(type.bytes(), "result/" + name);
    holders.incrementAndGet();
    return Tensor.owning(new TensorView(type, block.segment()), () -> {
      allocator.free(block);
      release();
    });
  }

  /** Called once by the session and once for each tensor; the last one closes the allocator. */
  void release() {
    if (holders.decrementAndGet() == 0) {
      allocator.close();
    }
  }
}
