package dev.cairn.runtime.report.dump;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * A memory snapshot as PyTorch's {@code torch.cuda.memory._dump_snapshot} writes them, for pytorch.org/memory_viz and
 * {@code torch.cuda._memory_viz}: a pickle of protocol 2. Regions are segments and chunks are blocks; a block's frames
 * have tensor, operator and step, innermost first. Stateless.
 */
public final class PytorchSnapshot {
  /** The largest segment that PyTorch calls small. */
  private static final long SMALL_SEGMENT_BYTES = 2L << 20;
  /** Viewers look up the traces by device; a list for each of more than these would be a burden. */
  private static final int MOST_TRACES = 1 << 12;

  private final MemoryMap map;
  private final StreamingPickler pickler = new StreamingPickler();

  /** Tensors with their shapes, by owner. */
  private final List<String> tensors;

  private PytorchSnapshot(MemoryMap map) {
    this.map = map;
    tensors = map.owners().stream().map(PytorchSnapshot::tensor).toList();
  }

  /** Writes the pickle; leaves the stream open. */
  public static void write(MemorySnapshot snapshot, OutputStream out) throws IOException {
    PytorchSnapshot writer = new PytorchSnapshot(snapshot.map());
    StreamingPickler.Part whole = pickler -> writer.whole(snapshot);
    writer.pickler.dump(whole, out);
  }

  private void whole(MemorySnapshot snapshot) throws IOException {
    int traces = Math.min(map.space().ordinal(), MOST_TRACES - 1) + 1;
    pickler.dictionary(() -> {
      pickler.save("segments");
      pickler.list(map.regions().size(), region -> segment(map.regions().get(region)));
      pickler.save("device_traces");
      pickler.list(traces, device -> {
        boolean has = device == map.space().ordinal() && snapshot.failure().isPresent();
        pickler.list(has ? 1 : 0, event -> refusal(snapshot.failure().orElseThrow()));
      });
      pickler.save("allocator_settings");
      pickler.dictionary(() -> {
        pickler.entry("allocator", "cairn");
        pickler.entry("space", map.space().toString());
        pickler.entry("limit_bytes", map.stats().limitBytes());
      });
    });
  }

  private void segment(MemoryMap.RegionEntry region) throws IOException {
    long allocatedBytes = 0;
    long pendingBytes = 0;
    long requestedBytes = 0;
    int end = region.firstChunk() + region.chunkCount();
    for (int chunk = region.firstChunk(); chunk < end; chunk++) {
      allocatedBytes += map.isInUse(chunk) ? map.bytes(chunk) : 0;
      pendingBytes += map.freedAt(chunk) > 0 ? map.bytes(chunk) : 0;
      requestedBytes += requestedBytes(chunk);
    }
    Object[] sizes = {allocatedBytes, allocatedBytes + pendingBytes, requestedBytes};
    pickler.dictionary(() -> {
      pickler.entry("device", map.space().ordinal());
      pickler.entry("address", region.address());
      pickler.entry("total_size", region.bytes());
      pickler.entry("allocated_size", sizes[0]);
      pickler.entry("active_size", sizes[1]);
      pickler.entry("requested_size", sizes[2]);
      pickler.entry("stream", 0);
      pickler.entry("segment_type", region.bytes() <= SMALL_SEGMENT_BYTES ? "small" : "large");
      pickler.entry("segment_pool_id", new Object[] {0, 0});
      pickler.entry("is_expandable", false);
      pickler.save("frames");
      pickler.list(0, frame -> {});
      pickler.save("blocks");
      pickler.list(region.chunkCount(), chunk -> block(region.firstChunk() + chunk));
    });
  }

  private void block(int chunk) throws IOException {
    pickler.dictionary(() -> {
      pickler.entry("address", map.address(chunk));
      pickler.entry("size", map.bytes(chunk));
      pickler.entry("requested_size", requestedBytes(chunk));
      pickler.entry("state", state(chunk));
      pickler.save("frames");
      if (map.isInUse(chunk)) {
        frames(tensors.get(map.ownerNumber(chunk)), map.owner(chunk).operator(), map.allocationId(chunk),
          map.step(chunk));
      } else {
        pickler.list(0, frame -> {});
      }
    });
  }

  /** PyTorch keeps the size that was asked for until the streams have passed; here it is no longer known. */
  private long requestedBytes(int chunk) {
    return map.freedAt(chunk) > 0 ? map.bytes(chunk) : map.requestedBytes(chunk);
  }

  private String state(int chunk) {
    if (map.isInUse(chunk)) {
      return "active_allocated";
    }
    return map.freedAt(chunk) > 0 ? "active_pending_free" : "inactive";
  }

  /** Viewers show a frame as {@code filename:line:name}: {@code tensor:17:conv1:0 f32[1,64]}. */
  private void frames(String tensor, String operator, long id, int step) throws IOException {
    pickler.list(step == 0 ? 2 : 3, frame -> {
      switch (frame) {
        case 0 -> frame("tensor", id, tensor);
        case 1 -> frame("operator", 0, operator.isEmpty() ? "(no operator)" : operator);
        default -> frame("step", step, "step");
      }
    });
  }

  private static String tensor(Owner owner) {
    String name = owner.tensor().isEmpty() ? "(no tensor)" : owner.tensor();
    return owner.shape().isEmpty() ? name : name + " " + owner.shape();
  }

  private void frame(String filename, long line, String name) throws IOException {
    pickler.dictionary(() -> {
      pickler.entry("name", name);
      pickler.entry("filename", filename);
      pickler.entry("line", line);
    });
  }

  /** The refused request, as the event that PyTorch records of one. */
  private void refusal(OutOfMemory failure) throws IOException {
    boolean limited = map.stats().limitBytes() < Long.MAX_VALUE;
    pickler.dictionary(() -> {
      pickler.entry("action", "oom");
      pickler.entry("device_free", limited ? map.stats().unreservedBytes() : 0L);
      pickler.entry("size", failure.requestedBytes());
      pickler.entry("stream", 0);
      pickler.entry("time_us", 0);
      pickler.save("frames");
      frames(tensor(failure.owner()), failure.owner().operator(), 0, 0);
    });
  }
}
