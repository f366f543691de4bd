package dev.cairn.runtime;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.tensor.TensorView;
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

  /** A copy of an executor's output that owns its memory. */
  Tensor copyOf(String name, TensorView output) {
    Block block = allocator.allocate(output.type().bytes(), "result/" + name);
    var view = new TensorView(output.type(), block.segment().copyFrom(output.segment()));
    holders.incrementAndGet();
    return Tensor.owning(view, () -> {
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
