package dev.cairn.allocator.bfc;

import dev.cairn.allocator.bfc.NaiveBfc.Chunk;
import dev.cairn.allocator.bfc.NaiveBfc.Place;
import java.util.List;

/** Where in a free chunk a block goes, beside its like, as plainly as can be: a part of {@link NaiveBfc}. */
final class NaiveNeighbours {
  private double sum;
  private double sumOfSquares;

  void note(long bytes) {
    sum += bytes;
    sumOfSquares += (double) bytes * bytes;
  }

  /** Less than half of the mean size of a byte's block. */
  private boolean isSmall(long bytes) {
    return bytes * sum < sumOfSquares / 2;
  }

  /** The chunk found, which is the lowest of its length; for a small block, the highest. */
  Chunk choose(List<Place> places, Chunk found, long bytes) {
    Chunk chosen = found;
    for (Place place : places) {
      for (Chunk chunk : place.chunks) {
        if (chunk.isFree() && chunk.bytes == found.bytes && isSmall(bytes)) {
          chosen = chunk;
        }
      }
    }
    return chosen;
  }

  boolean isLow(Chunk chunk, long bytes) {
    List<Chunk> all = chunk.place.chunks;
    int at = all.indexOf(chunk);
    long below = at > 0 ? all.get(at - 1).bytes : 0;
    long above = at + 1 < all.size() ? all.get(at + 1).bytes : 0;
    return isSmall(bytes) ? below < above : timesLarger(below, bytes) <= timesLarger(above, bytes);
  }

  private static double timesLarger(long a, long b) {
    return a == 0 ? Double.POSITIVE_INFINITY : (double) Math.max(a, b) / Math.min(a, b);
  }
}
