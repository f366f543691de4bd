package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.convolution.WinogradTiles;
import dev.cairn.kernels.cpu.team.CpuStream;

/** A share of a convolution's tiles by Winograd's algorithm, ready to run: block by block. */
final class WinogradLane {
  private final WinogradConvolution convolution;
  private final WinogradShape shape;
  private final KernelCall call;
  private final long at;
  private final PreparedProgram product;
  private final long firstTile;
  private final long endTile;

  /**
   * @param at where its memory begins in the workspace
   * @param product of a block's tiles and the weights; closed with this
   */
  WinogradLane(WinogradConvolution convolution, KernelCall call, int lane, long at, PreparedProgram product) {
    this.convolution = convolution;
    this.shape = convolution.shape();
    this.call = call;
    this.at = at;
    this.product = product;
    this.firstTile = shape.tiles() * lane / convolution.lanes();
    this.endTile = shape.tiles() * (lane + 1) / convolution.lanes();
  }

  /** A range of tiles. */
  private interface Range {
    void run(WinogradTiles tiles, long first, long end);
  }

  void run() {
    long block = convolution.tilesOfBlock();
    for (long first = firstTile; first < endTile; first += block) {
      long begin = first;
      long count = Math.min(block, endTile - first);
      onItsThreads(count, (tiles, from, end) -> read(tiles, begin, from, end));
      // A block with fewer tiles computes sums that are not read.
      product.run();
      onItsThreads(count, (tiles, from, end) -> write(tiles, begin, from, end));
    }
  }

  /** Each part of the tiles has its own scratch memory, whichever thread computes it. */
  private void onItsThreads(long count, Range range) {
    int parts = convolution.threadsOfLane();
    if (parts == 1) {
      range.run(tiles(0), 0, count);
      return;
    }
    CpuStream.of(call).parallel(parts, 1, (first, end) -> {
      for (int part = (int) first; part < end; part++) {
        range.run(tiles(part), count * part / parts, count * (part + 1) / parts);
      }
    });
  }

  private WinogradTiles tiles(int part) {
    return new WinogradTiles(address(WinogradConvolution.scratchAt(part)), convolution.least());
  }

  private long address(long offset) {
    return call.workspace().address() + at + offset;
  }

  /** Transforms the tiles {@code [from, end)} of a block. */
  private void read(WinogradTiles tiles, long begin, long from, long end) {
    long to = address(convolution.tilesAt());
    long tileStride = convolution.strideBytes(shape.channels());
    for (long tile = from; tile < end; tile++) {
      place(begin + tile, tiles);
      tiles.read(shape.channels(), to + tile * convolution.pixelBytes(), tileStride);
    }
  }

  /** Says where a tile's pixels lie. */
  private void place(long tile, WinogradTiles tiles) {
    long pixelBytes = convolution.pixelBytes();
    long row = tile / shape.tileColumns() % shape.tileRows() * WinogradTiles.WRITTEN - shape.padTop();
    long column = tile % shape.tileColumns() * WinogradTiles.WRITTEN - shape.padLeft();
    long image = call.input(0).segment().address() + tile / (shape.tileRows() * shape.tileColumns()) * shape
      .rows() * shape.columns() * pixelBytes;
    long zeros = call.workspace().address();
    for (int i = 0; i < WinogradShape.POINTS; i++) {
      long y = row + i / WinogradTiles.READ;
      long x = column + i % WinogradTiles.READ;
      boolean isInside = y >= 0 && y < shape.rows() && x >= 0 && x < shape.columns();
      tiles.setPixel(i, isInside ? image + (y * shape.columns() + x) * pixelBytes : zeros);
    }
  }

  /** Writes the pixels of the tiles {@code [from, end)} of a block. */
  private void write(WinogradTiles tiles, long begin, long from, long end) {
    long sums = address(convolution.sumsAt());
    long sumStride = convolution.strideBytes(shape.filters());
    long bias = convolution.hasBias() ? call.input(2).segment().address() : 0;
    long pixelBytes = (long) shape.filters() * Float.BYTES;
    long result = call.output(0).segment().address();
    for (long tile = from; tile < end; tile++) {
      long number = begin + tile;
      long row = number / shape.tileColumns() % shape.tileRows() * WinogradTiles.WRITTEN;
      long column = number % shape.tileColumns() * WinogradTiles.WRITTEN;
      long image = number / (shape.tileRows() * shape.tileColumns());
      long pixel = (image * shape.outRows() + row) * shape.outColumns() + column;
      int rows = (int) Math.min(WinogradTiles.WRITTEN, shape.outRows() - row);
      int columns = (int) Math.min(WinogradTiles.WRITTEN, shape.outColumns() - column);
      tiles.write(sums + tile * pixelBytes, sumStride, shape.filters(), bias, new WinogradTiles.Target(result + pixel
        * pixelBytes, shape.outColumns() * pixelBytes, rows, columns));
    }
  }

  void close() {
    product.close();
  }
}
