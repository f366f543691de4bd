package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.cpu.team.CpuStream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link StridedCopy} where the target is dense along its innermost axis and the source along another:
 * both axes are walked in tiles, so that each cache line of either side is fetched once while a tile is copied. A
 * tile is square unless an axis is shorter than that; then the other side of the tile is the longer.
 */
final class TiledTranspose {
  /** A cache line: long enough to use all of one, short enough for a tile to stay in the inner cache. */
  private static final long SIDE_BYTES = 64;

  private final StridedCopy copy;
  private final int across;
  private final int inner;
  private final int[] outer;
  private final long rows;
  private final long columns;
  private final long tilesAcross;
  private final long tilesInner;
  private final @Nullable TileCopy square;

  /**
   * @param across the axis along which the source is dense
   * @param square copies the squares that fit into a tile, if it is written for such elements
   */
  TiledTranspose(StridedCopy copy, int across, @Nullable TileCopy square) {
    this.copy = copy;
    this.across = across;
    this.inner = copy.rank - 1;
    this.outer = new int[inner - 1];
    for (int axis = 0; axis < outer.length; axis++) {
      outer[axis] = axis < across ? axis : axis + 1;
    }
    long side = SIDE_BYTES / copy.unit;
    this.columns = Math.clamp(side * side / copy.extents[across], Math.min(side, copy.extents[inner]),
      copy.extents[inner]);
    this.rows = Math.clamp(side * side / columns, 1, copy.extents[across]);
    this.tilesAcross = Math.ceilDiv(copy.extents[across], rows);
    this.tilesInner = Math.ceilDiv(copy.extents[inner], columns);
    this.square = square != null && square.elementBytes() == copy.unit ? square : null;
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
      long height = Math.min(rows, copy.extents[across] - row);
      long width = Math.min(columns, copy.extents[inner] - column);
      if (square != null && height >= square.side() && width >= square.side()) {
        copySquares(square, units, source, target, height, width);
      } else {
        copyTile(units, source, target, height, width);
      }
      if (++tile == perWalk) {
        tile = 0;
        walk.next();
      }
    }
  }

  private void copySquares(TileCopy tile, UnitLoop units, long source, long target, long height, long width) {
    long sourceStride = copy.from[inner];
    long targetStride = copy.to[across];
    long fullHeight = height - height % tile.side();
    long fullWidth = width - width % tile.side();
    for (long column = 0; column < fullWidth; column += tile.side()) {
      for (long row = 0; row < fullHeight; row += tile.side()) {
        tile.copy(copy.source, source + row * copy.unit + column * sourceStride, sourceStride,
          copy.target, target + row * targetStride + column * copy.unit, targetStride);
      }
    }
    copyTile(units, source + fullWidth * sourceStride, target + fullWidth * copy.unit, fullHeight, width - fullWidth);
    copyTile(units, source + fullHeight * copy.unit, target + fullHeight * targetStride, height - fullHeight, width);
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
