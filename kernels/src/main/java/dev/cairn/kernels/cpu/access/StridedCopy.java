package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.cpu.team.CpuStream;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Copies elements from one strided walk to another of the same extents: what transposing, slicing, joining, tiling
 * and expanding have in common. Serves every element type, since it only knows how many bytes an element has.
 *
 * <p>Axes that lie behind one another on both sides are merged first, and an innermost axis that is dense on both
 * sides becomes one <em>unit</em> of bytes, so that the loops move blocks as long as the walk allows. The remaining
 * work is shared among threads by <em>items</em>: pieces of the innermost axis, or tiles where the two sides disagree
 * about which axis is the dense one.
 */
public final class StridedCopy {
  /**
   * Bytes of one item; small enough for a core's inner cache, large enough that the walk between items does not
   * count.
   */
  private static final long ITEM_BYTES = 16 << 10;
  /** Longest block that one item copies. */
  private static final long BLOCK_BYTES = 256 << 10;
  /** Bytes that are not worth a second thread. */
  private static final long GRAIN_BYTES = 64 << 10;

  final MemorySegment source;
  final MemorySegment target;
  /** Bytes before index 0, on either side. */
  final long sourceStart;
  final long targetStart;
  /** The merged axes, of which the first {@code rank} count: indexes, and bytes from one to the next on either side. */
  final long[] extents;
  final long[] from;
  final long[] to;
  int rank;
  /** Bytes that are dense on both sides below the innermost axis. */
  long unit;
  private final boolean empty;

  private StridedCopy(int elementBytes, long[] extents, Strided source, Strided target) {
    this.source = source.segment;
    this.target = target.segment;
    this.sourceStart = source.offset * elementBytes;
    this.targetStart = target.offset * elementBytes;
    this.unit = elementBytes;
    this.extents = new long[extents.length + 1];
    this.from = new long[extents.length + 1];
    this.to = new long[extents.length + 1];
    boolean isEmpty = false;
    for (int axis = 0; axis < extents.length; axis++) {
      isEmpty |= extents[axis] == 0;
      push(extents[axis], source.strides[axis] * elementBytes, target.strides[axis] * elementBytes);
    }
    if (rank > 0 && from[rank - 1] == unit && to[rank - 1] == unit) {
      unit *= this.extents[--rank];
    }
    this.empty = isEmpty;
  }

  /** A copy of a longest block's part: {@code bytes} of each unit, {@code shift} bytes from its beginning. */
  private StridedCopy(StridedCopy whole, long shift, long bytes) {
    source = whole.source;
    target = whole.target;
    sourceStart = whole.sourceStart + shift;
    targetStart = whole.targetStart + shift;
    extents = whole.extents.clone();
    from = whole.from.clone();
    to = whole.to.clone();
    rank = whole.rank;
    empty = whole.empty;
    unit = bytes;
  }

  /**
   * Copies every element; returns when all are copied. Source and target do not overlap.
   *
   * @param extents of the walk, outermost first
   */
  public static void run(CpuStream stream, int elementBytes, long[] extents, Strided source, Strided target) {
    of(elementBytes, extents, source, target).run(stream, null);
  }

  /** A copy that is yet to {@link #run}. */
  public static StridedCopy of(int elementBytes, long[] extents, Strided source, Strided target) {
    return new StridedCopy(elementBytes, extents, source, target);
  }

  private void push(long extent, long fromStride, long toStride) {
    if (extent == 1) {
      return;
    }
    if (rank > 0 && from[rank - 1] == fromStride * extent && to[rank - 1] == toStride * extent) {
      rank--;
      extent *= extents[rank];
    }
    extents[rank] = extent;
    from[rank] = fromStride;
    to[rank++] = toStride;
  }

  /** Copies every element, with the squares of tiles copied by {@code square} where it serves. */
  public void run(CpuStream stream, @Nullable TileCopy square) {
    if (empty) {
      return;
    }
    if (unit > BLOCK_BYTES) {
      runInBlocks(stream);
      return;
    }
    int across = denseInSource();
    if (across >= 0) {
      new TiledTranspose(this, across, square).run(stream);
      return;
    }
    if (rank == 0) {
      MemorySegment.copy(source, sourceStart, target, targetStart, unit);
      return;
    }
    long inner = extents[rank - 1];
    long piece = Math.clamp(ITEM_BYTES / unit, 1, inner);
    long pieces = Math.ceilDiv(inner, piece);
    stream.parallel(count(0, rank - 1) * pieces, grain(piece * unit),
      (first, end) -> copyPieces(first, end, piece, pieces));
  }

  /** Splits units that are too long for one item: all full blocks of all units, then the rest of each unit. */
  private void runInBlocks(CpuStream stream) {
    var full = new StridedCopy(this, 0, BLOCK_BYTES);
    full.extents[rank] = unit / BLOCK_BYTES;
    full.from[rank] = BLOCK_BYTES;
    full.to[rank] = BLOCK_BYTES;
    full.rank++;
    full.run(stream, null);
    long rest = unit % BLOCK_BYTES;
    if (rest > 0) {
      new StridedCopy(this, unit - rest, rest).run(stream, null);
    }
  }

  /** The axis along which the source is dense, where the target is dense along another and both are long; else -1. */
  private int denseInSource() {
    if (unit > 8 || Long.bitCount(unit) != 1 || rank < 2 || to[rank - 1] != unit || from[rank - 1] == 0) {
      return -1;
    }
    for (int axis = 0; axis < rank - 1; axis++) {
      if (from[axis] == unit) {
        return axis;
      }
    }
    return -1;
  }

  private void copyPieces(long first, long end, long piece, long pieces) {
    int inner = rank - 1;
    var walk = new StridedWalk(this, IntStream.range(0, inner).toArray(), first / pieces);
    var units = new UnitLoop(source, target, unit);
    long part = first % pieces;
    for (long item = first; item < end; item++) {
      long begin = part * piece;
      long count = Math.min(piece, extents[inner] - begin);
      units.run(count, walk.source() + begin * from[inner], from[inner], walk.target() + begin * to[inner], to[inner]);
      if (++part == pieces) {
        part = 0;
        walk.next();
      }
    }
  }

  public static long grain(long itemBytes) {
    return Math.max(1, GRAIN_BYTES / itemBytes);
  }

  /** How often the axes {@code [first, end)} are walked. */
  long count(int first, int end) {
    long count = 1;
    for (int axis = first; axis < end; axis++) {
      count *= extents[axis];
    }
    return count;
  }
}
