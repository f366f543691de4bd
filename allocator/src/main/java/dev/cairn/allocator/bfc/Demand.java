package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.StreamTime;

/**
 * The demands on a free chunk.
 *
 * @param bytes how long at least, a multiple of 256
 * @param alignmentBytes what the address that is granted must be a multiple of, a power of two, at least 256
 * @param freedBefore when it must have been freed at the latest; {@link AllocationRequest#ANY_TIME} for any time
 * @param stream the stream that it may have been freed on, if its time has not come
 */
record Demand(long bytes, long alignmentBytes, long freedBefore, int stream) {
  private static final long LARGE_BYTES = 4L << 20;

  /** Bytes that hold an aligned range of {@link #bytes} wherever they begin. */
  long amplyBytes() {
    return bytes + alignmentBytes - Alignment.CHUNK_BYTES;
  }

  /** Bytes of the chunk that a request needs, wherever that begins; as many as can be rounded, for more than that. */
  static long roundedBytes(AllocationRequest request, SizeRule sizes) {
    long most = Math.min(request.bytes(), BfcHeap.MAXIMUM_REQUEST_BYTES - request.alignmentBytes());
    return sizes.bytes(most)
      + Math.max(0, request.alignmentBytes() - Alignment.CHUNK_BYTES);
  }

  boolean isAnyTime() {
    return freedBefore == AllocationRequest.ANY_TIME;
  }

  /** Whether a wait of the stream is better than a larger pool. */
  boolean isLarge() {
    return stream != 0 && bytes >= LARGE_BYTES;
  }

  /** Bytes between {@code address} and the next aligned address. */
  long prefixBytes(long address) {
    return -address & (alignmentBytes - 1);
  }

  /** The smallest chunk that meets this, of those the lowest; {@link ChunkTable#NONE} if there is none. */
  int bestFit(BfcHeap heap) {
    int chunk = heap.bins.bestFit(heap.chunks, bytes);
    while (chunk != NONE && !isMetBy(chunk, heap.chunks)) {
      chunk = heap.bins.after(heap.chunks, chunk);
    }
    return chunk;
  }

  boolean isMetBy(int chunk, ChunkTable chunks) {
    return isHeldBy(chunk, chunks) && isInTime(chunks.freedAt(chunk));
  }

  /** Whether the chunk is long enough. */
  boolean isHeldBy(int chunk, ChunkTable chunks) {
    return prefixBytes(chunks.address(chunk)) + bytes <= chunks.bytes(chunk);
  }

  private boolean isInTime(long freedAt) {
    return freedAt == 0 || (StreamTime.stream(freedAt) == stream
      && (isAnyTime() || StreamTime.time(freedAt) <= freedBefore));
  }
}
