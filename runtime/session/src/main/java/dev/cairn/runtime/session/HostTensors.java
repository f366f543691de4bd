package dev.cairn.runtime.session;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.flight.RecentEvents;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.PinnedSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.Location;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMemory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The host's memory for tensors that a GPU reads or fills: page-locked for large ones, so that one copy brings them,
 * and pageable for small ones, which executors stage. Blocks are reused. Kept until the session and all tensors here
 * are closed. Thread-safe; owns the source of page-locked memory.
 */
final class HostTensors {
  static final BfcOptions OPTIONS = BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED);

  private final Backend backend;
  private final MemoryOptions wanted;
  private final Allocator pageable;
  private final AtomicInteger holders = new AtomicInteger(1);
  private @Nullable PageLocked pageLocked;

  /** Made for the first large tensor: it keeps the device in use. */
  private record PageLocked(PinnedSubAllocator source, Allocator allocator) {}

  /**
   * @param backend makes the source of page-locked memory, which is closed with the last tensor
   * @param wanted says whether the allocators are trimmed
   */
  HostTensors(Backend backend, MemoryOptions wanted) {
    this.backend = backend;
    this.wanted = wanted;
    this.pageable = newAllocator(new NettySubAllocator());
  }

  private Allocator newAllocator(SubAllocator source) {
    return SessionMemory.trimmed(new BfcAllocator(source, OPTIONS, new RecentEvents()), wanted);
  }

  private synchronized Allocator pageLocked() {
    PageLocked made = pageLocked;
    if (made == null) {
      PinnedSubAllocator source = backend.newPageLockedMemory();
      try {
        made = new PageLocked(source, newAllocator(source));
      } catch (RuntimeException | Error e) {
        try (source) {
          throw e;
        }
      }
      pageLocked = made;
    }
    return made.allocator();
  }

  /** A tensor that is not filled yet. */
  Tensor newTensor(String owner, TensorType type) {
    if (type.bytes() <= LocatedView.STAGED_BYTES) {
      return owning(type, pageable, owner, Location.PAGEABLE);
    }
    try {
      return owning(type, pageLocked(), owner, Location.PAGE_LOCKED);
    } catch (OutOfMemory e) {
      // The system locks no more pages: then the result is copied once more.
      return owning(type, pageable, owner, Location.PAGEABLE);
    }
  }

  private Tensor owning(TensorType type, Allocator allocator, String owner, Location location) {
    Block block = allocator.allocate(type.bytes(), owner);
    holders.incrementAndGet();
    var view = new TensorView(type, block.segment().asSlice(0, type.bytes()));
    return TensorMemory.owned(new LocatedView(view, location), () -> {
      allocator.free(block);
      drop();
    }).tensor();
  }

  /** Called once, by the session. */
  void release() {
    drop();
  }

  private synchronized void closeAll() {
    PageLocked made = pageLocked;
    try (PinnedSubAllocator _ = made == null ? null : made.source();
      Allocator _ = made == null ? null : made.allocator()) {
      pageable.close();
    }
  }

  private void drop() {
    if (holders.decrementAndGet() == 0) {
      closeAll();
    }
  }
}
