package dev.cairn.runtime.session;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.BlockMover;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.value.TensorMemory;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The open results of a session by the allocations that they lie in. It moves them when the session's allocator
 * compacts its memory: on the host by the host's copies, on a GPU by copies on a stream of its own. Thread-safe.
 */
final class OpenResults implements BlockMover {
  /** A slide over a shorter gap than a part of the block in so many copies would take longer than it is worth. */
  private static final long MOST_COPIES = 256;

  private final RunTarget target;
  private final Map<Long, Held> results = new ConcurrentHashMap<>();
  /** Made for the first move; used with the allocator's lock held, and closed with the device. */
  private @Nullable Stream stream;

  /** A result and where it lies. */
  private static final class Held {
    private final TensorMemory memory;
    private volatile Block block;

    private Held(TensorMemory memory, Block block) {
      this.memory = memory;
      this.block = block;
    }
  }

  OpenResults(RunTarget target) {
    this.target = target;
  }

  void add(TensorMemory memory, Block block) {
    results.put(block.allocationId(), new Held(memory, block));
  }

  /** The block of a result that is closed, as it lies now; a block that was never added is where it was. */
  Block current(Block block) {
    Held held = results.get(block.allocationId());
    return held == null ? block : held.block;
  }

  /** Forgets a result whose block was freed. */
  void remove(Block block) {
    results.remove(block.allocationId());
  }

  @Override
  public boolean isMovable(long allocationId) {
    Held held = results.get(allocationId);
    return held != null && held.memory.isMovable();
  }

  @Override
  public boolean move(Block to) {
    Held held = Objects.requireNonNull(results.get(to.allocationId()));
    MemorySegment old = held.memory.located().view().segment();
    MemorySegment place = target.transfers().segment(to).asSlice(0, old.byteSize());
    if (target.isHost()) {
      return held.memory.move(place, (copy, from) -> {
        copy.copyFrom(from);
        held.block = to;
      });
    }
    long gap = Math.abs(old.address() - place.address());
    if (old.byteSize() > MOST_COPIES * gap) {
      return false;
    }
    Stream on = stream();
    return held.memory.move(place, (copy, from) -> {
      try {
        for (long at = 0; at < from.byteSize(); at += gap) {
          long bytes = Math.min(gap, from.byteSize() - at);
          target.transfers().enqueueCopy(on, copy.asSlice(at, bytes), from.asSlice(at, bytes));
        }
      } finally {
        // This happens after a failure, too, so that others may take the place.
        on.synchronize();
      }
      held.block = to;
    });
  }

  private Stream stream() {
    Stream known = stream;
    if (known == null) {
      known = target.device().newStream("compaction");
      stream = known;
    }
    return known;
  }
}
