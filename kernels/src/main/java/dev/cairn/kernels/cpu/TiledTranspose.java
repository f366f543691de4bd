package dev.cairn.kernels.cpu;

import java.util.stream.IntStream;

/**
 * The part of a {@link StridedCopy} where the target is dense along its innermost axis and the source along another: both axes
 * are walked in tiles, so that each cache line of either side is fetched once while a tile is copied. A tile is square unless an axis
 * is shorter than that; then the other side of the tile is the longer.
 */
final class TiledTranspose {
  private static final long SIDE_BYTES = Long.getLong("side", 128);

  private final StridedCopy copy;
  private final int across;
  private final int inner;
  private final int[] outer;
  private final long rows;
  private final long columns;
  private final long tilesAcross;
  private final long tilesInner;

  /** @param across the axis along which the source is dense */
  TiledTranspose(StridedCopy copy, int across) {
    this.copy = copy;
    this.across = across;
    this.inner = copy.rank - 1;
    this.outer = IntStream.range(0, inner).filter(axis -> axis != across).toArray();
    long side = SIDE_BYTES / copy.unit;
    this.columns = Math.clamp(side * side / copy.extents[across], Math.min(side, copy.extents[inner]), copy.extents[inner]);
    this.rows = Math.clamp(side * side / columns, 1, copy.extents[across]);
    this.tilesAcross = Math.ceilDiv(copy.extents[across], rows);
    this.tilesInner = Math.ceilDiv(copy.extents[inner], columns);
  }

  void run(CpuStream stream) {
    long tiles = tilesAcross * tilesInner;
    for (int axis : outer) {
      tiles *= copy.extents[axis];
    }
    stream.parallel(tiles, StridedCopy.grain(rows * columns * copy.unit), this::copyTiles);
  }

  private void copyTiles(long first, long end) {
    long perWalk = tilesAcross * tilesInner;
    var walk = new StridedWalk(copy, outer, first / perWalk);
    var units = new UnitLoop(copy.source, copy.target, copy.unit);
    long tile = first % perWalk;
    for (long item = first; item < end; item++) {
      long row = tile / tilesInner * rows;
      long column = tile % tilesInner * columns;
      long source = walk.source() + row * copy.unit + column * copy.from[inner];
      long target = walk.target() + row * copy.to[across] + column * copy.unit;
      copyTile(units, source, target, Math.min(rows, copy.extents[across] - row),
        Math.min(columns, copy.extents[inner] - column));
      if (++tile == perWalk) {
        tile = 0;
        walk.next();
      }
    }
  }

  /** Rows are the target's; the longer side of the tile is the inner loop. */
  private void copyTile(UnitLoop units, long source, long target, long height, long width) {
    long sourceStride = copy.from[inner];
    long targetStride = copy.to[across];
    if (width >= height) {
      for (long row = 0; row < height; row++) {
        units.run(width, source + row * copy.unit, sourceStride, target + row * targetStride, copy.unit);
      }
    } else {
      for (long column = 0; column < width; column++) {
        units.run(height, source + column * sourceStride, copy.unit, target + column * copy.unit, targetStride);
      }
    }
  }
}
