package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

/**
 * Places a grant in a free chunk that is larger than need be next to the neighbour that suits it: similar blocks tend
 * to be freed together, and then leave one piece. Best fit still chooses the chunk. A small block goes to the side of
 * the smaller neighbour; a large one to the side of the neighbour that is nearest to it in size; and of equally long
 * chunks, small blocks take the highest and large ones the lowest. The limit for small requests is learned from the
 * requests: less than half of the average size of a byte's block. The caller holds the lock.
 *
 * <p>docs/decisions/0005 has the figures, and the other ways that were tried.
 */
final class NeighbourPlacement {
  private static final double SMALL_PART = 0.5;

  private final ChunkTable chunks;
  private double bytes;
  private double squares;

  NeighbourPlacement(ChunkTable chunks) {
    this.chunks = chunks;
  }

  /** Takes note of a request. */
  void note(long wantedBytes) {
    bytes += wantedBytes;
    squares += (double) wantedBytes * wantedBytes;
  }

  /** Whether a request counts as small, after it was noted. */
  boolean isSmall(long wantedBytes) {
    return wantedBytes * bytes < SMALL_PART * squares;
  }

  /** Whether a request is to lie at the low end of a free chunk, rather than at its high end. */
  boolean isLow(int chunk, long wantedBytes) {
    long below = bytesOf(chunks.previous(chunk));
    long above = bytesOf(chunks.next(chunk));
    if (isSmall(wantedBytes)) {
      return below < above;
    }
    double likeBelow = unlikeness(below, wantedBytes);
    double likeAbove = unlikeness(above, wantedBytes);
    return likeBelow == likeAbove || likeBelow < likeAbove;
  }

  private long bytesOf(int neighbour) {
    return neighbour == NONE ? 0 : chunks.bytes(neighbour);
  }

  /** How many times larger the larger one is; without end beside nothing. */
  private static double unlikeness(long neighbourBytes, long wantedBytes) {
    return neighbourBytes == 0
      ? Double.POSITIVE_INFINITY
      : (double) Math.max(neighbourBytes, wantedBytes) / Math.min(neighbourBytes, wantedBytes);
  }
}
