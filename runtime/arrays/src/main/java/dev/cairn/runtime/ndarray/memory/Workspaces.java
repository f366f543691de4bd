package dev.cairn.runtime.ndarray.memory;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Owner;
import dev.cairn.kernels.device.Stream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Temporary memory of one device (W-1): a block for each thread that uses one at the same time, and on a GPU one for
 * each stream, whose order protects it. A block serves call after call, and grows to what the largest needs. {@link
 * #trim} gives idle blocks back. Thread-safe.
 */
public final class Workspaces implements AutoCloseable {
  private static final Owner OWNER = Owner.of("workspace");

  private final ArrayDevice device;
  /** The spaces that no thread uses, the latest first. */
  private final Deque<Space> idle = new ArrayDeque<>();

  Workspaces(ArrayDevice device) {
    this.device = device;
  }

  /** A block, and the stream whose work uses it. Closing it lets the next call have it. */
  public final class Space implements AutoCloseable {
    private final Block block;
    private final Stream stream;
    private final MemorySegment segment;

    private Space(Block block, Stream stream) {
      this.block = block;
      this.stream = stream;
      this.segment = device.segment(block);
    }

    /** At least as many bytes as were asked for. */
    public MemorySegment segment() {
      return segment;
    }

    @Override
    public void close() {
      synchronized (Workspaces.this) {
        idle.push(this);
      }
    }

    /** Gives the memory back when the stream's work is done with it. */
    private void free() {
      if (device.isHost()) {
        device.free(block);
      } else {
        device.free(block, stream, stream.record());
      }
    }
  }

  /**
   * Memory for work that the calling thread runs or gives to the stream before it closes the space.
   *
   * @throws dev.cairn.allocator.OutOfMemory when there is none
   */
  public Space take(long bytes, Stream stream) {
    Space known = idle(stream);
    if (known != null && known.segment.byteSize() >= bytes) {
      return known;
    }
    if (known != null) {
      known.free();
    }
    AllocationRequest request = AllocationRequest.of(bytes, OWNER);
    return new Space(device.isHost() ? device.allocate(request) : device.allocate(request, stream), stream);
  }

  private synchronized @Nullable Space idle(Stream stream) {
    for (var each = idle.iterator(); each.hasNext();) {
      Space space = each.next();
      if (space.stream.equals(stream)) {
        each.remove();
        return space;
      }
    }
    return null;
  }

  /** Gives idle memory back. */
  void trim() {
    taken().forEach(Space::free);
  }

  private synchronized List<Space> taken() {
    List<Space> all = new ArrayList<>(idle);
    idle.clear();
    return all;
  }

  /** Gives all memory back. The streams have ended. */
  @Override
  public void close() {
    taken().forEach(it -> device.free(it.block));
  }
}
